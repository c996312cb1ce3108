// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Task {
  id: string;
  title: string;
  state: "todo" | "doing" | "done";
  assignee: string | null;
  estimate: number;
  finishedAt?: Date;
}

interface Workload {
  tasks: number;
  hours: number;
}

declare function loadTasks(board: string): Promise<Task[]>;

const countByAssignee = async (e: RequestEvent<"board">) => {
  const counts = new Map<string, number>();
  for (const { assignee } of await loadTasks(e.pathValue("board"))) {
    const name = assignee ?? "nobody";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return e.json(200, Object.fromEntries(counts));
};

const groupByState = async (e: RequestEvent<"board">) => {
  const tasks = await loadTasks(e.pathValue("board"));
  const briefs = tasks.map(({ id, title, state }) => ({ id, title, state }));
  return e.json(
    200,
    Object.groupBy(briefs, (task) => task.state),
  );
};

const workloads = async (e: RequestEvent<"board">) => {
  const tasks = await loadTasks(e.pathValue("board"));
  const byAssignee = tasks.reduce<Record<string, Workload>>((all, task) => {
    if (task.assignee === null) return all;
    const load = (all[task.assignee] ??= { tasks: 0, hours: 0 });
    load.tasks += 1;
    load.hours += task.estimate;
    return all;
  }, {});
  const busiest = Object.entries(byAssignee)
    .sort(([, a], [, b]) => b.hours - a.hours)
    .at(0);
  return e.json(200, { byAssignee, busiest: busiest?.[0] ?? null });
};

const titlesById = async (e: RequestEvent<"board">) => {
  const tasks = await loadTasks(e.pathValue("board"));
  const titles = Object.fromEntries(tasks.map((task) => [task.id, task.title] as const));
  return e.json(200, {
    titles,
    assignees: [...new Set(tasks.map((task) => task.assignee ?? "nobody"))].sort(),
  });
};

const hoursByDay = async (e: RequestEvent<"board">) => {
  const tasks = await loadTasks(e.pathValue("board"));
  const finished = tasks.filter((task) => task.finishedAt !== undefined);
  const days = Map.groupBy(finished, (task) => task.finishedAt?.toISOString().slice(0, 10) ?? "");
  const report = [...days].map(([day, done]) => ({
    day,
    count: done.length,
    hours: done.reduce((sum, task) => sum + task.estimate, 0),
  }));
  return e.json(200, report);
};

export function routes(router: VersionedRouter): void {
  router.get("/boards/{board}/assignees", countByAssignee);
  router.get("/boards/{board}/states", groupByState);
  router.get("/boards/{board}/workloads", workloads);
  router.get("/boards/{board}/titles", titlesById);
  router.get("/boards/{board}/days", hoursByDay);
}
