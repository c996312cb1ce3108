import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Document } from "../content.ts";
import { readUsage, type Usage } from "../process-tree.ts";

/** How long the event loop was held up, in milliseconds. */
export interface Delay {
  readonly p99: number;
  readonly max: number;
}

export interface AnnexDocument extends Document {
  readonly "x-analysis"?: { readonly level: string; readonly diagnostics: number };
}

const limitMs = 90_000;

/** The generated application in a process of its own. */
export class Server {
  /** When it was started, on our clock. */
  readonly begin: number;
  /** From the start of its process until it listened, on its own clock. */
  readonly listeningMs: number;
  private readonly child: ChildProcess;
  private readonly url: string;
  private readonly limit: NodeJS.Timeout;

  private constructor(child: ChildProcess, begin: number, ready: { url: string; listeningMs: number }) {
    this.child = child;
    this.begin = begin;
    this.url = ready.url;
    this.listeningMs = ready.listeningMs;
    this.limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  }

  /** In production nothing is analysed. */
  static async start(project: string, { isProduction = false } = {}): Promise<Server> {
    const { NODE_ENV: _, ...inherited } = process.env;
    const env = { ...inherited, ...(isProduction && { NODE_ENV: "production" }) };
    const begin = performance.now();
    const child = fork(join(project, "main.ts"), [join(project, "data")], {
      cwd: project,
      env,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`The application in ${project} ended with ${code} before it listened.`);
    });
    const [ready] = await Promise.race([once(child, "message"), ended]);
    return new Server(child, begin, ready as { url: string; listeningMs: number });
  }

  /** The document, once it says all it can. */
  async readDocument(): Promise<AnnexDocument> {
    for (let seen: string | undefined; ; ) {
      // With the tag, a document that has not changed costs neither process anything.
      const { document, tag } = await this.ask(seen);
      const level = document?.["x-analysis"]?.level;
      if (document && level !== "syntax" && level !== "none") return document;
      seen = tag;
      await delay(10);
    }
  }

  /** The document as it is now; `undefined` when it is still the one with this tag. */
  async ask(tag?: string): Promise<{ document: AnnexDocument | undefined; tag: string }> {
    const headers: Record<string, string> = tag === undefined ? {} : { "If-None-Match": tag };
    const response = await fetch(`${this.url}/api/docs/v1/openapi.json`, { headers });
    const body = await response.text();
    const document = response.status === 200 ? (JSON.parse(body) as AnnexDocument) : undefined;
    return { document, tag: response.headers.get("etag") ?? "" };
  }

  /** How long its event loop was held up since this was last asked. */
  async readDelay(): Promise<Delay> {
    this.child.send("delay");
    const [response] = await once(this.child, "message");
    return response as Delay;
  }

  readUsage(): Usage {
    return readUsage(this.child.pid!);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.child, "exit");
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.send("stop");
      const impatience = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(impatience);
    }
    clearTimeout(this.limit);
  }
}
