import { fileURLToPath } from "node:url";

/** A place in a source file. Line and column count from 1. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where the function was called that is `below`: the statement in the caller's source; `undefined` when that is no file. */
export function captureCaller(below: (...args: never[]) => unknown): SourceLocation | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_error, callSites) => callSites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, below);
    const [site] = holder.stack as NodeJS.CallSite[];
    return site && toLocation(site);
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

function toLocation(site: NodeJS.CallSite): SourceLocation | undefined {
  const name = site.getFileName() ?? site.getScriptNameOrSourceURL?.();
  if (!name || name.startsWith("node:")) return undefined;
  const file = name.startsWith("file:") ? fileURLToPath(name) : name;
  return { file, line: site.getLineNumber() ?? 1, column: site.getColumnNumber() ?? 1 };
}

/** As an editor opens it: `src/app.ts:12:3`, from the working folder where that is shorter. */
export function showLocation({ file, line, column }: SourceLocation): string {
  const folder = `${process.cwd()}/`;
  return `${file.startsWith(folder) ? file.slice(folder.length) : file}:${line}:${column}`;
}
