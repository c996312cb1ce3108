/** Loaded before an application by the commands that want something of it; the errand is in the environment. */
import { writeSync } from "node:fs";
import { type Errand, errandVariable, type Progress, progressVariable, setErrand } from "../app/errand.ts";

const { [errandVariable]: errand, [progressVariable]: file } = process.env;
if (errand !== undefined) setErrand(JSON.parse(errand) as Errand, report);
// Programs that the application starts have no part in it.
delete process.env[errandVariable];
delete process.env[progressVariable];

function report(progress: Progress): void {
  if (file !== undefined) writeSync(Number(file), `${progress}\n`);
}
