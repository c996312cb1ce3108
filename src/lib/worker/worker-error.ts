import type { PlainError } from "./contract.ts";

export type WorkerErrorCode =
  | "WORKER_TIMEOUT"
  | "WORKER_ENDED"
  | "WORKER_NOT_RUNNING"
  | "WORKER_UNKNOWN_CALL";

/** A call failed because of the thread, not because of its handler. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Structured cloning would lose the code of an error. */
export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { name, message, ...(code !== undefined && { code }), ...(stack !== undefined && { stack }) };
}

export function fromPlainError({ message, ...fields }: PlainError): Error {
  return Object.assign(new Error(message), fields);
}
