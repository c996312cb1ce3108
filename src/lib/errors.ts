import { format } from "node:util";

/** What a client may know about one field that was wrong. */
export interface FieldProblem {
  readonly code: string;
  readonly message: string;
}

export interface ApiErrorOptions {
  /** Sent to the client: `data.<field> = { code, message }`, or whatever the application gives. Default `{}`. */
  data?: object;
  /** Headers of the answer, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Logged, never sent. */
  cause?: unknown;
  /** A stable word for programs; shown in the log, not in the body. */
  code?: string;
}

/**
 * An error with two halves: `status`, `message` and `data` are for the client, `cause` and the stack are for the log.
 * Throw one anywhere below a handler and it becomes the answer.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly data: object;
  readonly headers: Record<string, string> | undefined;
  readonly code: string | undefined;

  constructor(status: number, message: string, { data, headers, cause, code }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
    this.data = data ?? {};
    this.headers = headers;
    this.code = code;
  }
}

/** One kind of error: its code, its status and its sentence, from which errors are made. */
export interface ErrorDefinition {
  (...values: (string | number)[]): ApiError;
  /** The same error, with data for the client, headers or a cause. */
  with(options: Omit<ApiErrorOptions, "code">, ...values: (string | number)[]): ApiError;
  readonly code: string;
  readonly status: number;
  readonly template: string;
}

const registry = new Map<string, ErrorDefinition>();

/** Defines a coded error: `const JOB_UNKNOWN = defineError("JOB_UNKNOWN", 404, 'There is no job "%s".')`. */
export function defineError(code: string, status: number, template: string): ErrorDefinition {
  if (registry.has(code)) throw new Error(`The error code ${code} is defined twice.`);
  const make: ErrorDefinition["with"] = (options, ...values) =>
    new ApiError(status, format(template, ...values), { ...options, code });
  const definition = Object.assign((...values: (string | number)[]) => make({}, ...values), {
    with: make,
    code,
    status,
    template,
  });
  registry.set(code, definition);
  return definition;
}

/** Every coded error that the loaded modules define. */
export function definedErrors(): ErrorDefinition[] {
  return [...registry.values()];
}
