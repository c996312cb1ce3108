/** The ways in which a handler of an application fails. */
import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";

/** What has been sent when the handler fails. */
export const moments = [
  "before the headers",
  "after the headers",
  "after the first byte",
  "after the end",
] as const;
export type Moment = (typeof moments)[number];

/**
 * How it fails. `pass`: with the function of the framework for errors, such as `next`. `body`: with a stream that the
 * framework sends. `pipeline`: with a stream that the handler sends, whose error it passes on.
 */
export const ways = ["throw", "reject", "reject later", "pass", "pass later", "pipeline", "body"] as const;
export type Way = (typeof ways)[number];

export interface Failure {
  readonly moment: Moment;
  readonly way: Way;
  readonly error: ErrorKind;
}

const errors = {
  plain: () => new Error("failed"),
  "not found": () => Object.assign(new Error("nothing there"), { status: 404 }),
  "too large": () =>
    Object.assign(new Error("too large"), { statusCode: 413, headers: { "X-From-Error": "1" } }),
  unavailable: () => Object.assign(new Error("unavailable"), { status: 503, statusCode: 503, expose: true }),
  frozen: () => Object.freeze(new TypeError("frozen")),
  text: () => "a text",
  null: () => null,
} satisfies Record<string, () => unknown>;
export type ErrorKind = keyof typeof errors;
export const errorKinds = Object.keys(errors) as ErrorKind[];

/** Notes what the application sees: errors and events. */
export type Note = (seen: string) => void;

/** What the handler of a framework has. */
export interface Handling {
  readonly response: ServerResponse;
  /** Passes an error on. */
  pass(error: unknown): unknown;
  /** Lets the framework send a stream. */
  send(body: Readable): unknown;
  readonly note: Note;
}

/** Sends what is sent before the failure, and fails. */
export function fail(failure: Failure, { response, pass, send, note }: Handling): unknown {
  const { moment, way } = failure;
  const error = errors[failure.error]();
  const source = () => failingSource(moment, error, note);
  if (way === "body") return send(source());
  begin(response, moment);
  if (way === "pipeline")
    return new Promise((resolve) => {
      pipeline(source(), response, (failed) => {
        note(`pipeline ${describeError(failed)}`);
        resolve(failed ? pass(failed) : undefined);
      });
    });
  return failAs(way, error, pass, note);
}

function failAs(
  way: Exclude<Way, "body" | "pipeline">,
  error: unknown,
  pass: Handling["pass"],
  note: Note,
): unknown {
  if (way === "pass later") {
    return new Promise((resolve) => {
      setImmediate(() => {
        note("fails");
        resolve(pass(error));
      });
    });
  }
  if (way === "reject later") {
    return new Promise((_resolve, reject) => {
      setImmediate(() => {
        note("fails");
        reject(error);
      });
    });
  }
  note("fails");
  if (way === "reject") return Promise.reject(error);
  if (way === "pass") return pass(error);
  throw error;
}

function begin(response: ServerResponse, moment: Moment): void {
  if (moment === "before the headers") return;
  response.setHeader("X-Own", "1");
  if (moment === "after the headers") response.flushHeaders();
  else if (moment === "after the first byte") response.write("first,");
  else response.end("everything");
}

/** A stream that fails immediately or after its first chunk. */
function failingSource(moment: Moment, error: unknown, note: Note): Readable {
  let reads = 0;
  return new Readable({
    read() {
      if (moment !== "before the headers" && reads++ === 0) {
        this.push("chunk,");
        return;
      }
      note("fails");
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  });
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return `${code ?? error.name}: ${error.message}`;
}
