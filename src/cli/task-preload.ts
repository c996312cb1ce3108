/** Loaded before the application by commands that run a task in it. The task is in the environment. */
import { writeSync } from "node:fs";
import { type Progress, progressVariable, setTask, type Task, taskVariable } from "../app/tasks/task.ts";

const { [taskVariable]: task, [progressVariable]: file } = process.env;
if (task !== undefined) setTask(JSON.parse(task) as Task, report);
// Child processes of the application must not run the task.
delete process.env[taskVariable];
delete process.env[progressVariable];

function report(progress: Progress): void {
  if (file !== undefined) writeSync(Number(file), `${progress}\n`);
}
