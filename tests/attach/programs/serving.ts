/**
 * An application that serves pages, with Annex attached: `node serving.ts <framework> <handler>`. The framework `own` is
 * Annex on its own server. The handler is that of the application for SIGTERM or for messages.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createApp } from "../../../src/index.ts";

const { DATA: dataDir = "", DATABASE } = process.env;
const [framework = "", handler = ""] = process.argv.slice(2);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const page = "<!doctype html><title>A page</title>";

interface Application {
  readonly target: object;
  listen(): Server;
  close(done: () => void): void;
}

const frameworks: Record<string, () => Promise<Application>> = {
  async express() {
    const { default: express } = await import("express");
    const app = express();
    app.get("/page/:number", (_request, response) => void response.type("html").send(page));
    let server: Server;
    return {
      target: app,
      listen() {
        server = app.listen(0);
        return server;
      },
      close: (done) => void server.close(done),
    };
  },
  /** Annex gets the application, and finds the server with its first request. */
  async "express-server"() {
    const { default: express } = await import("express");
    const app = express();
    app.get("/page/:number", (_request, response) => void response.type("html").send(page));
    const server = createServer(app);
    return { target: app, listen: () => server.listen(0), close: (done) => void server.close(done) };
  },
  async fastify() {
    const { fastify } = await import("fastify");
    const app = fastify();
    app.get("/page/:number", async (_request, reply) => reply.type("text/html").send(page));
    return {
      target: app,
      listen() {
        void app.listen({ port: 0 });
        return app.server;
      },
      close: (done) => void app.close().then(done),
    };
  },
  /** With its own way to stop: it handles the signal, and then sends it again. */
  async nest() {
    const { Controller, Get, Module } = await import("@nestjs/common");
    const { NestFactory } = await import("@nestjs/core");
    class Pages {
      find() {
        return page;
      }
    }
    Get("page/:number")(Pages.prototype, "find", Object.getOwnPropertyDescriptor(Pages.prototype, "find")!);
    Controller()(Pages);
    class PagesModule {}
    Module({ controllers: [Pages] })(PagesModule);
    const app = await NestFactory.create(PagesModule, { logger: false });
    app.enableShutdownHooks();
    return {
      target: app,
      listen() {
        void app.listen(0);
        return app.getHttpServer();
      },
      close: (done) => void app.close().then(done),
    };
  },
  async node() {
    const server = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(page);
    });
    return { target: server, listen: () => server.listen(0), close: (done) => void server.close(done) };
  },
};

const handlers: Record<string, (application: Application) => unknown> = {
  none: () => {},
  close: ({ close }) => process.on("SIGTERM", () => close(() => process.exit(0))),
  once: ({ close }) => process.once("SIGTERM", () => close(() => process.exit(0))),
  message: ({ close }) =>
    process.on("message", (message) => {
      if (message !== "shutdown") return;
      print("the application stops");
      close(() => process.exit(0));
    }),
  exit: () => process.on("SIGTERM", () => process.exit(0)),
  note: () => process.once("SIGTERM", () => print("noted")),
  /** Not a handler: another Annex, on another server of the process. */
  another: () => {
    const destination = join(dataDir, "another.log");
    return createApp({ dataDir: join(dataDir, "another"), log: { destination } }).attach(createServer());
  },
  /** Many packages use this one. */
  "signal-exit": async () => (await import("signal-exit")).onExit(() => print("the exit callback runs")),
};

const annex = createApp({
  port: 0,
  dataDir,
  ...(DATABASE !== undefined && { database: DATABASE, databaseTimeoutMs: 2_000 }),
  docsSources: false,
  logLevel: "debug",
  log: { destination: join(dataDir, "app.log"), format: "json" },
  shutdown: { graceMs: 600_000 },
});
annex.jobs.registerJob("endless", "Endless", "Does not stop", "0 0 1 1 *", () => {
  print("running");
  return new Promise(() => {});
});
process.on("SIGUSR2", () => void annex.jobs.run("endless"));

if (framework === "own") {
  annex.onServe(({ router }) => void router.get("/page/{number}", (e) => e.html(200, page)));
  const { url } = await annex.start();
  print(`up at ${url}`);
} else {
  const application = await frameworks[framework]!();
  await handlers[handler]!(application);
  await annex.attach(application.target);
  const server = application.listen();
  server.once("listening", () => print(`up at http://localhost:${(server.address() as AddressInfo).port}`));
}
