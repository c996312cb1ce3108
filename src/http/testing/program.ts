/** Programs that fail, for tests of how the process ends: `node program.ts <part>`. */
import { EventEmitter } from "node:events";
import { inspect } from "node:util";
import { StartError } from "../../lib/errors/start-error.ts";
import { createRedactor } from "../../lib/redaction/redactor.ts";
import type { Host } from "../host.ts";
import { guardProcess, Listener, listenerLimits, onCrash, type RequestEvent } from "../index.ts";

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const strays: Record<string, (e: RequestEvent) => unknown> = {
  "/timer": (e) => {
    setTimeout(() => {
      throw new Error("left in a timer");
    });
    return e.noContent();
  },
  "/rejection": (e) => {
    void Promise.reject(new Error("left in a promise"));
    return e.noContent();
  },
  "/later-rejection": async (e) => {
    void (async () => {
      await new Promise(setImmediate);
      throw "left as text";
    })();
    return e.noContent();
  },
  "/event": (e) => {
    setImmediate(() => new EventEmitter().emit("error", new Error("left in an event")));
    return e.noContent();
  },
  "/callback": () =>
    new Promise(() => {
      process.nextTick(() => {
        throw new Error("thrown in a callback, before the response");
      });
    }),
  "/meanwhile": async (e) => {
    void Promise.reject(new Error("left while the handler goes on"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    return e.text(200, "sent all the same");
  },
  "/undefined": (e) => {
    setImmediate(() => {
      throw undefined;
    });
    return e.noContent();
  },
};

/** Requests with failing background work. Prints the reported errors and continues. */
async function leaveWork(): Promise<void> {
  const listener = new Listener({ app: {} as Host, limits: listenerLimits });
  const router = listener.routes.router("the application");
  for (const [path, handler] of Object.entries(strays)) router.get(path, handler);
  await listener.ready();
  for (const path of Object.keys(strays)) {
    const failed = new Promise<void>((resolve) => {
      listener.observer.onFailed(({ error, traceId, message, path: where }) => {
        if (where !== path) return;
        print({ path, reported: String(error instanceof Error ? error.message : error), traceId, message });
        resolve();
      });
    });
    const { status, headers } = await listener.inject({ url: path });
    print({ path, status, traceId: headers["x-trace-id"] });
    await failed;
  }
  print({ end: "alive" });
  await listener.close(0);
}

const parts: Record<string, () => unknown> = {
  "leave-work": leaveWork,
  throw() {
    setImmediate(() => {
      throw new TypeError("a bug", { cause: new Error("and its cause") });
    });
  },
  reject() {
    void Promise.reject(new TypeError("a bug"));
  },
  values() {
    onCrash(() => {}, createRedactor(["iban"]));
    const cause = new Error("Failed query: select $1\nparams: canary", { cause: { sql: "canary" } });
    const error = new AggregateError([new Error("token: canary")], "iban=canary", { cause });
    setImmediate(() => {
      throw Object.assign(error, { parameters: ["canary"], [inspect.custom]: () => "canary" });
    });
  },
  text() {
    setImmediate(() => {
      throw "just text";
    });
  },
  bare() {
    setImmediate(() => {
      throw Object.create(null);
    });
  },
  startError() {
    setImmediate(() => {
      throw new StartError("DATA_DIR_IN_USE", "The data folder is in use by another program.");
    });
  },
  rejectedStart() {
    return Promise.reject(new StartError("PORT_IN_USE", "Port 1 is in use."));
  },
  writeFatal() {
    onCrash(() => print({ words: "never" }))();
    onCrash(() => {
      throw new Error("a reporter that fails");
    });
    onCrash((error) => print({ words: String(error) }));
    setImmediate(() => {
      throw new Error("the end");
    });
  },
  somebodyElse() {
    process.on("uncaughtException", (error) => print({ else: error.message }));
    setImmediate(() => {
      throw new Error("theirs");
    });
  },
};

/** The parts whose process ends by itself. */
const continuing = ["leave-work", "somebodyElse"];

guardProcess();
guardProcess();
const part = process.argv[2]!;
// Like the socket of a server, it keeps the process alive: only the error can end it.
if (!continuing.includes(part)) setInterval(() => {}, 60_000);
await parts[part]!();
