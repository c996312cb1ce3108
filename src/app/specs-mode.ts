const key = Symbol.for("annex.specs.folder");

type Marked = { [key]?: string };

/**
 * Makes every application of this process write its documents into that folder when it is started, instead of opening
 * a database and a port. `annex specs generate` does this before it loads an application.
 */
export function writeSpecsInstead(folder: string): void {
  (globalThis as Marked)[key] = folder;
}

export function specsFolder(): string | undefined {
  return (globalThis as Marked)[key];
}
