import type { BenchJob, Subject } from "../subject.ts";

interface Task {
  stop(): unknown;
}

/** A library whose jobs have their zone for life: to move them, they are stopped and made again. */
export function createReplanned(create: (job: BenchJob, timezone: string) => Task): Subject {
  let jobs: BenchJob[] = [];
  let tasks: Task[] = [];
  const stop = () => {
    for (const task of tasks) task.stop();
    tasks = [];
  };
  const subject: Subject = {
    register(given, timezone) {
      jobs = given;
      tasks = jobs.map((job) => create(job, timezone));
    },
    changeTimezone(timezone) {
      stop();
      tasks = jobs.map((job) => create(job, timezone));
    },
    stop,
  };
  return subject;
}
