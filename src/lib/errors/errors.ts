import { format } from "node:util";

/** An invalid field in an error response. */
export interface FieldProblem {
  /** A stable code for programs, such as "required". */
  readonly code: string;
  /** A description for people. */
  readonly message: string;
}

/** Options of `ApiError`. */
export interface ApiErrorOptions {
  /** Sent to the client, for example `{ <field>: { code, message } }`. Default `{}`. */
  data?: object;
  /** Headers of the response, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Logged, never sent. */
  cause?: unknown;
  /** A stable code for the log. Not sent to the client. */
  code?: string;
}

/**
 * An error response. The client receives `status`, `message` and `data`. The log contains `cause` and the stack. Throw
 * it in a handler or in any function that the handler calls.
 *
 * ```ts
 * throw new ApiError(409, "The email address is already in use.", { code: "EMAIL_TAKEN" });
 * ```
 */
export class ApiError extends Error {
  /** `"ApiError"`, unless a subclass changes it. */
  override readonly name: string = "ApiError";
  /** The HTTP status, from 400 to 599. Any other value becomes 500. */
  readonly status: number;
  /** Details for the client. */
  readonly data: object;
  /** Headers of the response. */
  readonly headers: Record<string, string> | undefined;
  /** A stable code for the log. */
  readonly code: string | undefined;

  constructor(status: number, message: string, { data, headers, cause, code }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
    this.data = data ?? {};
    this.headers = headers;
    this.code = code;
  }
}

/** A kind of error with its code, status and message. Call it to create an error. */
export interface ErrorDefinition {
  (...values: (string | number)[]): ApiError;
  /** Creates the error with data, headers or a cause. */
  with(options: Omit<ApiErrorOptions, "code">, ...values: (string | number)[]): ApiError;
  readonly code: string;
  readonly status: number;
  readonly template: string;
}

const registry = new Map<string, ErrorDefinition>();

/** Defines a coded error: `const JOB_UNKNOWN = defineError("JOB_UNKNOWN", 404, 'Unknown job "%s".')`. */
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

/** All errors defined by the loaded modules. */
export function definedErrors(): ErrorDefinition[] {
  return [...registry.values()];
}
