import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { closed, listening } from "../hosts/host.ts";
import type { Note } from "./failures.ts";
import type { Scenario } from "./scenarios.ts";

/** How an application is set up. */
export interface Setup {
  /** With helmet, compression, sessions and an error handler of its own. */
  readonly isFull: boolean;
  readonly note: Note;
}

/** An application of a framework. */
export interface Application {
  /** What Annex is attached to. */
  readonly target: object;
  readonly server: Server;
  listen(): Promise<unknown>;
  close(): unknown;
}

export interface ComparedKind {
  create(setup: Setup): Promise<Application> | Application;
  /** Whether Annex must be attached with the server. */
  readonly needsServer?: boolean;
  /** Whether Annex sees all requests of the server, also those that other listeners handle. */
  readonly observesServer?: boolean;
  /** Whether the framework leaves the connection open, without a complete response. Default: never. */
  leavesOpen?(scenario: Scenario, isFull: boolean): boolean;
}

/** A body that does not end. */
export function endlessSource(): Readable {
  const chunk = Buffer.alloc(16_384, "x");
  return new Readable({
    read() {
      setImmediate(() => this.push(chunk));
    },
  });
}

/** Notes how a response has ended. */
export function watch(response: ServerResponse, note: Note): void {
  response.on("finish", () => note("finished"));
  response.on("close", () => note(`closed ${response.writableFinished ? "after" : "before"} the end`));
}

/** What the error handler of an application responds with. */
export function describeFailure(error: unknown): { status: number; body: object } {
  const { status, statusCode, message } = (error ?? {}) as Record<string, unknown>;
  const known = Number(status ?? statusCode ?? 500);
  return { status: known, body: { handled: String(message ?? error) } };
}

/** The body of a request as JSON, for frameworks that read no bodies. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await text(request);
  if (body.length > 100) throw Object.assign(new Error("too large"), { status: 413 });
  return body === "" ? null : JSON.parse(body);
}

/** An application on a server that it does not open itself. */
export function onServer(target: object, server: Server): Application {
  return {
    target,
    server,
    listen: () => listening(server.listen(0, "127.0.0.1")),
    close: () => closed(server),
  };
}
