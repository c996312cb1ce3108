import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * Two cores of those this process may use, or nothing where they cannot be told apart: the servers get one and the
 * load generator the other, so that neither is measured waiting for the other's time slice.
 */
export function findCores(): [server: string, load: string] | undefined {
  if (!existsSync("/usr/bin/taskset")) return undefined;
  const status = readFileSync("/proc/self/status", "utf8");
  const ranges = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1]?.split(",") ?? [];
  const cores = ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => String(first + offset));
  });
  return cores[0] && cores[1] ? [cores[0], cores[1]] : undefined;
}

/** V8 collects garbage in a process that falls idle; the pauses between bursts would only look like that. */
const flags = ["--no-memory-reducer"];

export interface PeerOptions {
  core?: string | undefined;
  args?: readonly string[];
}

/** Another process of the benchmark, which handles one request at a time. */
export class Peer implements AsyncDisposable {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #gone: Promise<never>;

  constructor(name: string, file: string, { core, args: own = [] }: PeerOptions = {}) {
    const pin = core === undefined ? [] : ["taskset", "-c", core];
    const [command = process.execPath, ...args] = [
      ...pin,
      process.execPath,
      ...flags,
      fileURLToPath(file),
      ...own,
    ];
    this.#name = name;
    // What a subject prints must not end up between the lines of the table, so its output goes to standard error.
    this.#child = spawn(command, args, { stdio: ["ignore", 2, 2, "ipc"] });
    this.#gone = new Promise((_, reject) => {
      this.#child.once("error", reject);
      this.#child.once("exit", (code, signal) =>
        reject(new Error(`${this.#name} has ended (${signal ?? code}) before the benchmark did`)),
      );
    });
    this.#gone.catch(() => {});
  }

  /** The next message; the first one that a peer sends says that it is ready. */
  async hear<T>(): Promise<T> {
    const [message] = await Promise.race([once(this.#child, "message"), this.#gone]);
    if (message?.error) throw new Error(`${this.#name}: ${message.error}`);
    return message as T;
  }

  ask<T>(question: object): Promise<T> {
    const response = this.hear<T>();
    this.#child.send(question);
    return response;
  }

  /** A peer cleans up when its channel closes, also when this process dies; one that hangs is ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    if (this.#child.connected) this.#child.disconnect();
    const patience = new AbortController();
    const late = delay(5_000, undefined, { signal: patience.signal }).then(
      () => this.#child.kill("SIGKILL"),
      () => {},
    );
    await exit;
    patience.abort();
    await late;
  }
}
