import { parentPort, workerData } from "node:worker_threads";
import type { Database, DatabaseOptions } from "./database.ts";
import { markDamaged, openDisposable } from "./disposable.ts";
import type { MigrationSet } from "./migrator.ts";

/** Context of a service in the background thread. */
export interface BackgroundContext<Data = unknown> {
  readonly database: Database;
  readonly data: Data;
  /** Reports why work is failing; `undefined` reports recovery. */
  report(reason: string | undefined): void;
}

/** Handles the messages of one feature. */
export interface BackgroundService {
  /** Returns a response or a promise of one. Ignored for messages sent with `post`. */
  handle(message: never): unknown;
  close(): Promise<void>;
}

/** Exports of a module for the background thread. */
export interface BackgroundModule<Data = never> {
  readonly migrations: MigrationSet;
  serve(context: BackgroundContext<Data>): BackgroundService | Promise<BackgroundService>;
}

export interface ThreadOptions {
  database: DatabaseOptions;
  services: readonly { name: string; module: string; data: unknown }[];
}

export type ToThread =
  | { kind: "post"; service: string; message: unknown }
  | { kind: "ask"; service: string; message: unknown; ticket: number }
  | { kind: "close" };

export type FromThread =
  | { kind: "answer"; ticket: number; answer: unknown }
  | { kind: "refusal"; ticket: number; reason: string }
  | { kind: "ready" }
  | { kind: "set-aside"; path: string }
  | { kind: "problem"; service: string; reason: string | undefined };

const port = parentPort!;
const { database: databaseOptions, services: wanted } = workerData as ThreadOptions;
const tell = (message: FromThread) => port.postMessage(message);

const modules = await Promise.all(
  wanted.map(async ({ module }) => (await import(module)) as BackgroundModule<unknown>),
);
// Several services can use the same module.
const sets = [...new Set(modules)].map(({ migrations }) => migrations);
const { database, setAside } = await openDisposable(databaseOptions, sets);
if (setAside !== undefined) tell({ kind: "set-aside", path: setAside });
const services = new Map<string, BackgroundService>();
for (const [index, { name, data }] of wanted.entries()) {
  const report = (reason: string | undefined) => {
    tell({ kind: "problem", service: name, reason });
    endIfDamaged();
  };
  services.set(name, await modules[index]!.serve({ database, data, report }));
}

/** Ends the thread. One of the next messages restarts it, which moves the file aside. */
function endIfDamaged(): void {
  if (database.problem?.reason !== "damaged" || databaseOptions.url !== undefined) return;
  setImmediate(() => {
    markDamaged(databaseOptions);
    throw new Error(`The file ${databaseOptions.file} is damaged.`);
  });
}

async function answer(message: Extract<ToThread, { kind: "ask" | "post" }>): Promise<void> {
  try {
    const result = await services.get(message.service)!.handle(message.message as never);
    if (message.kind === "ask") tell({ kind: "answer", ticket: message.ticket, answer: result });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (message.kind === "ask") tell({ kind: "refusal", ticket: message.ticket, reason });
    else tell({ kind: "problem", service: message.service, reason });
    endIfDamaged();
  }
}

async function close(): Promise<void> {
  await Promise.allSettled([...services.values()].map((service) => service.close()));
  await database.close();
  port.close();
}

tell({ kind: "ready" });
port.on("message", (message: ToThread) => void (message.kind === "close" ? close() : answer(message)));
