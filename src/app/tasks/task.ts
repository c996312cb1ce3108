const key = Symbol.for("annex.task");

/** A task that a process runs instead of serving its application. */
export type Task =
  /** Writes the documents of all versions to a folder. */
  | { readonly kind: "specs"; readonly folder: string }
  /** Prints the state of the API documents and the diagnostics of the source analysis. */
  | { readonly kind: "doctor" };

/** Progress of a task. The exit code alone does not show whether the application started. */
export type Progress = "begun" | "done";

/** The environment variable with which the command line passes a task to a process. */
export const taskVariable = "ANNEX_TASK";

/** The environment variable with the file descriptor for progress reports. Optional. */
export const progressVariable = "ANNEX_TASK_PROGRESS";

export interface TaskAssignment {
  readonly task: Task;
  report(progress: Progress): void;
}

type Marked = { [key]?: TaskAssignment };

/**
 * Makes every application of this process run the task at startup instead of opening a database and a port. The command
 * line calls this before it loads an application.
 */
export function setTask(task: Task, report: (progress: Progress) => void): void {
  (globalThis as Marked)[key] = { task, report };
}

export function currentTask(): TaskAssignment | undefined {
  return (globalThis as Marked)[key];
}
