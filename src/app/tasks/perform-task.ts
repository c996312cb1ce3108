import { escapeControls } from "../../lib/text/terminal-text.ts";
import type { Task } from "./task.ts";

/** What a task needs of the API documents. */
export interface TaskDocuments {
  /** Writes the documents to a folder. Returns the reasons why it did not. */
  writeSpecs(folder: string): Promise<readonly string[]>;
  check(): Promise<{ readonly lines: readonly string[]; readonly diagnostics: number }>;
}

const exitFailure = 1;
/** Distinguishes a check that found something from one that failed. */
const exitDiagnostics = 2;

/** Runs a task of the command line. Returns the exit code of the process. */
export async function performTask(task: Task, documents: TaskDocuments): Promise<number> {
  if (task.kind === "specs") {
    const problems = await documents.writeSpecs(task.folder);
    if (problems.length === 0) return 0;
    const lines = [
      "annex: Requests to checked routes cannot be checked, so nothing was written:",
      ...problems,
    ];
    process.stderr.write(`${lines.map(escapeControls).join("\n  ")}\n`);
    return exitFailure;
  }
  const { lines, diagnostics } = await documents.check();
  process.stdout.write(`${lines.map(escapeControls).join("\n")}\n`);
  return diagnostics === 0 ? 0 : exitDiagnostics;
}
