/** Loaded before the application by commands that run a task in it. The task is in the environment. */
import { writeSync } from "node:fs";
import { type Errand, errandVariable, type Progress, progressVariable, setErrand } from "../app/errand.ts";

const { [errandVariable]: errand, [progressVariable]: file } = process.env;
if (errand !== undefined) setErrand(JSON.parse(errand) as Errand, report);
// Child processes of the application must not run the task.
delete process.env[errandVariable];
delete process.env[progressVariable];

function report(progress: Progress): void {
  if (file !== undefined) writeSync(Number(file), `${progress}\n`);
}
