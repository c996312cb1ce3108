const fileHandlers = new WeakSet<object>();

/** Marks a handler that sends files by their path. Its routes need `{path...}`, and are not part of an API. */
export function markFileHandler<H extends object>(handler: H): H {
  fileHandlers.add(handler);
  return handler;
}

export function isFileHandler(handler: object): boolean {
  return fileHandlers.has(handler);
}
