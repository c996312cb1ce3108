const key = Symbol.for("annex.errand");

/** What a process is to do with its application instead of serving it. */
export type Errand =
  /** Writes the documents of all versions into a folder. */
  | { readonly kind: "specs"; readonly folder: string }
  /** Tells on standard output what the documentation knows, and what it could not find out. */
  | { readonly kind: "doctor" };

/** The environment variable by which the command line tells a process its errand. */
export const errandVariable = "ANNEX_ERRAND";

type Marked = { [key]?: Errand };

/**
 * Makes every application of this process do the errand when it is started, instead of opening a database and a port.
 * The command line asks for it before it loads an application.
 */
export function setErrand(errand: Errand): void {
  (globalThis as Marked)[key] = errand;
}

export function currentErrand(): Errand | undefined {
  return (globalThis as Marked)[key];
}
