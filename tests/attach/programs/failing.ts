/**
 * An application that fails outside of its handlers, with and without Annex:
 * `node failing.ts <framework> <way to fail>`, where the way is empty if a request says it.
 *
 * | Environment | Meaning |
 * |---|---|
 * | `DATA` | the data folder of Annex; without it, the application runs alone |
 * | `HANDLERS` | the process handlers of the application, such as `exception rejection` |
 * | `WHEN` | when it fails: `created`, `attaching` or `listening` |
 */
import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const { DATA, HANDLERS = "", WHEN = "listening" } = process.env;
const [framework = "", atOnce = ""] = process.argv.slice(2);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const ways: Record<string, () => void> = {
  timer() {
    setTimeout(() => {
      throw new TypeError("thrown in a timer", { cause: new Error("and its cause") });
    });
  },
  rejection() {
    void Promise.reject(new TypeError("rejected"));
  },
  text() {
    void Promise.reject("rejected with text");
  },
  listener() {
    const emitter = new EventEmitter().on("event", () => {
      throw new Error("thrown in a listener");
    });
    setImmediate(() => emitter.emit("event"));
  },
  event() {
    setImmediate(() => new EventEmitter().emit("error", new Error("emitted without a listener")));
  },
  undefined() {
    setImmediate(() => {
      throw undefined;
    });
  },
  /** Does not fail: what failed before has been handled by then. */
  alive() {
    setTimeout(() => setImmediate(() => print("alive")), 5);
  },
  sync() {
    throw new Error("thrown by the listener of the server");
  },
};

const annex = DATA === undefined ? undefined : await createAnnex(DATA);

/** Only what is needed is loaded, so that the application alone starts faster. */
async function createAnnex(dataDir: string) {
  const { createApp } = await import("../../../src/index.ts");
  const destination = join(dataDir, "app.log");
  const app = createApp({ dataDir, docsSources: false, log: { destination, format: "json" } });
  app.jobs.registerJob("timer", "Timer", "Throws in a timer", "0 0 1 1 *", async () => {
    ways.timer!();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  app.onServe(({ router }) => {
    router.get("/own", () => {
      ways.timer!();
      return new Promise(() => {});
    });
  });
  return app;
}

/** Fails in a request, and says which one it was. */
function fail(way: string): void {
  print(`trace ${annex?.traceId()} ${way}`);
  if (way === "job") void annex!.jobs.run("timer");
  else ways[way]!();
}

interface Application {
  /** What Annex is attached to. */
  readonly target: object;
  readonly server?: Server;
  listen(): Server;
}

const frameworks: Record<string, () => Promise<Application>> = {
  async express() {
    const { default: express } = await import("express");
    const app = express();
    app.get("/:way", (request) => fail(request.params.way));
    return { target: app, listen: () => app.listen(0) };
  },
  async fastify() {
    const { fastify } = await import("fastify");
    const app = fastify();
    app.get("/:way", (request) => fail((request.params as { way: string }).way));
    return {
      target: app,
      listen() {
        void app.listen({ port: 0 });
        return app.server;
      },
    };
  },
  async koa() {
    const { default: Koa } = await import("koa");
    const app = new Koa();
    app.use(({ path }) => {
      fail(path.slice(1));
      return new Promise(() => {});
    });
    return { target: app, listen: () => app.listen(0) };
  },
  async hono() {
    const { Hono } = await import("hono");
    const { createAdaptorServer } = await import("@hono/node-server");
    const app = new Hono();
    app.get("/:way", (c) => {
      fail(c.req.param("way"));
      return new Promise(() => {});
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    return { target: app, server, listen: () => server.listen(0) };
  },
  async node() {
    const server = createServer((request) => fail(request.url!.slice(1)));
    return { target: server, listen: () => server.listen(0) };
  },
};

if (HANDLERS.includes("exception"))
  process.on("uncaughtException", (error, origin) => print(`spared ${error?.message} (${origin})`));
if (HANDLERS.includes("rejection"))
  process.on("unhandledRejection", (reason) => print(`spared rejection ${reason}`));
if (HANDLERS.includes("capture"))
  process.setUncaughtExceptionCaptureCallback((error) => print(`captured ${error?.message}`));

function failWhen(when: string): void {
  if (atOnce !== "" && WHEN === when) ways[atOnce]!();
}

const { target, server: own, listen } = await frameworks[framework]!();
failWhen("created");
// What has failed is handled by then, on a slow machine too: timers and callbacks run in the order of their creation.
if (WHEN === "created") await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 5));
const attaching = annex?.attach(target, own && { server: own });
failWhen("attaching");
await attaching;
const server = listen();
server.once("listening", () => {
  setImmediate(() => failWhen("listening"));
  print(`up at http://localhost:${(server.address() as AddressInfo).port}`);
});
