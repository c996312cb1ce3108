/**
 * A server under a steady load, in a process of its own: Annex's own server, an Express application with Annex attached,
 * or the same application without it. All have the same routes.
 */
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getHeapSpaceStatistics, type HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import express, { type Express } from "express";
import type { App } from "../../src/index.ts";
import { account, type Heaps, type SubjectOptions } from "./subject-process.ts";

const failure = "The stock could not be read.";
const html = "<!doctype html><title>A page</title>";
const workers = new Map<Worker, string>();

process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.once("disconnect", () => process.exit());
process.on("worker", (worker) => {
  const name = (worker as { threadName?: string }).threadName ?? `thread ${worker.threadId}`;
  workers.set(worker, name);
  worker.once("exit", () => workers.delete(worker));
});

const options = JSON.parse(process.argv[2]!) as SubjectOptions;
const port = options.kind === "own" ? await serveOwn() : await serveExpress();
process.on("message", async () => process.send?.(await readHeaps()));
process.send?.({ port });

async function serveOwn(): Promise<number> {
  const app = await createAnnex();
  app.onServe(({ router }) => {
    router.get("/hello", (e) => e.json(200, { hello: "world" }));
    router.get("/users/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
    router.get("/pages/{name}", (e) => e.html(200, html));
    router.get("/failing", () => {
      throw new Error(failure);
    });
  });
  return (await app.start()).port;
}

async function serveExpress(): Promise<number> {
  const app = createExpress();
  if (options.kind === "attached") await (await createAnnex()).attach(app);
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

function createExpress(): Express {
  const app = express();
  // Otherwise, Express prints each error.
  app.set("env", "test");
  app.get("/hello", (_request, response) => void response.json({ hello: "world" }));
  app.get("/users/:id", ({ params }, response) => void response.json({ id: params.id }));
  app.get("/pages/:name", (_request, response) => void response.type("html").send(html));
  app.get("/failing", () => {
    throw new Error(failure);
  });
  return app;
}

/** Everything is on, and every request is stored. The log reaches its limit soon, so that the oldest blocks are deleted. */
async function createAnnex(): Promise<App> {
  const { folder, dataDir, url, logMegabytes } = options;
  const { createApp } = (await import(
    pathToFileURL(join(folder, "src/index.ts")).href
  )) as typeof import("../../src/index.ts");
  const app = createApp({
    port: 0,
    dataDir: join(dataDir, "data"),
    dev: false,
    logLevel: "debug",
    trustedProxies: ["127.0.0.1"],
    log: { destination: "/dev/null", maxMegabytes: logMegabytes },
    ...(url !== undefined && { database: url }),
  });
  await app.superusers.create(account.identity, account.password);
  for (let number = 0; number < 20; number++)
    app.jobs.registerJob(`job-${number}`, `Job ${number}`, "Counts the stock", "* * * * *", (log) => {
      log.success(`${number} items`);
    });
  return app;
}

async function readHeaps(): Promise<Heaps> {
  const threads = await Promise.all(
    [...workers].map(async ([worker, name]): Promise<[string, HeapInfo] | undefined> => {
      // The thread can end meanwhile.
      const heap = await worker.getHeapStatistics().catch(() => undefined);
      return heap && [name, heap];
    }),
  );
  const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return {
    heapUsed,
    heapTotal,
    young: young?.space_size ?? 0,
    external,
    arrayBuffers,
    threads: Object.fromEntries(
      threads
        .filter((thread) => thread !== undefined)
        .map(([name, heap]) => [name, { used: heap.used_heap_size, total: heap.total_heap_size }]),
    ),
  };
}
