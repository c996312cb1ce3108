const key = Symbol.for("annex.errand");

/** What a process is to do with its application instead of serving it. */
export type Errand =
  /** Writes the documents of all versions into a folder. */
  | { readonly kind: "specs"; readonly folder: string }
  /** Prints what the documentation knows, and what it could not find out. */
  | { readonly kind: "doctor" };

/** How far an errand is. The exit code alone does not say whether the application ever started. */
export type Progress = "begun" | "done";

/** The environment variable by which the command line tells a process its errand. */
export const errandVariable = "ANNEX_ERRAND";

/** The environment variable with the file descriptor on which the process reports its progress, if that is wanted. */
export const progressVariable = "ANNEX_ERRAND_PROGRESS";

export interface Assignment {
  readonly errand: Errand;
  report(progress: Progress): void;
}

type Marked = { [key]?: Assignment };

/**
 * Makes every application of this process do the errand when it is started, instead of opening a database and a port.
 * The command line asks for it before it loads an application.
 */
export function setErrand(errand: Errand, report: (progress: Progress) => void): void {
  (globalThis as Marked)[key] = { errand, report };
}

export function currentErrand(): Assignment | undefined {
  return (globalThis as Marked)[key];
}
