import type { Worker } from "node:worker_threads";
import { moduleBeside } from "../../../lib/threads.ts";
import { startDeepThread } from "../deep-thread.ts";
import type { TypeAnswers, TypeEngineOptions, TypeQuery } from "./query.ts";

export type ToEngine =
  | { readonly kind: "ask"; readonly queries: readonly TypeQuery[] }
  | { readonly kind: "conceal"; readonly secrets: readonly string[] }
  | { readonly kind: "refresh"; readonly changed: readonly string[] }
  | { readonly kind: "close" };

export type FromEngine =
  | { readonly kind: "spawned"; readonly pid: number | undefined }
  | { readonly kind: "answers"; readonly answers: TypeAnswers }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A compiler in a thread of its own. The one that reads the source does not wait for it, and all memory that was needed
 * for types is free when it is closed.
 */
export class ThreadEngine {
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  /** Results arrive in the order of the queries. */
  private readonly waiting: PromiseWithResolvers<TypeAnswers>[] = [];
  /** The ID of the compiler's process. A thread that waits for it receives no messages, so the process is killed from here. */
  private pid: number | undefined;
  private failure: Error | undefined;

  constructor(options: TypeEngineOptions) {
    const entry = moduleBeside(import.meta.url, "engine-thread");
    this.worker = startDeepThread(entry, { workerData: options, name: "annex-compiler" });
    this.worker.on("message", (message: FromEngine) => this.receive(message));
    this.worker.on("error", (error) => this.fail(error as Error));
    this.ended = new Promise((resolve) => this.worker.once("exit", () => resolve()));
    void this.ended.then(() => this.fail(new Error("The thread of the compiler has ended.")));
  }

  ask(queries: readonly TypeQuery[]): Promise<TypeAnswers> {
    if (this.failure) return Promise.reject(this.failure);
    const answer = Promise.withResolvers<TypeAnswers>();
    this.waiting.push(answer);
    this.tell({ kind: "ask", queries });
    return answer.promise;
  }

  conceal(secrets: readonly string[]): void {
    this.tell({ kind: "conceal", secrets });
  }

  refresh(changed: readonly string[]): void {
    this.tell({ kind: "refresh", changed });
  }

  /** Resolves when the compiler and the thread have ended. */
  async close(): Promise<void> {
    if (this.pid !== undefined) kill(this.pid);
    this.fail(new Error("The compiler was closed."));
    this.tell({ kind: "close" });
    const timer = setTimeout(() => void this.worker.terminate(), closeMs).unref();
    await this.ended;
    clearTimeout(timer);
  }

  private tell(message: ToEngine): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromEngine): void {
    if (message.kind === "spawned") this.pid = message.pid;
    else if (message.kind === "answers") this.waiting.shift()?.resolve(message.answers);
    else this.waiting.shift()?.reject(new Error(message.reason));
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.pid = undefined;
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }
}

const closeMs = 500;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}
