import type { Frame } from "./stall.ts";

/** Deep enough to reach the code of the application below a library. */
const maxFrames = 40;

/** The functions on the stack below `below`, from the innermost. */
export function captureFrames(below: (...args: never[]) => unknown): Frame[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = maxFrames;
    Error.prepareStackTrace = (_error, callSites) => callSites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, below);
    return (holder.stack as NodeJS.CallSite[]).map(toFrame);
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

function toFrame(site: NodeJS.CallSite): Frame {
  return {
    name: site.getFunctionName() ?? undefined,
    file: site.getFileName() ?? undefined,
    line: site.getLineNumber() ?? 1,
    column: site.getColumnNumber() ?? 1,
  };
}
