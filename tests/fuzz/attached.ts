/**
 * A program under test: Annex attached to the example of a framework, with streams and checked routes of its own. The
 * name of the framework is its argument.
 */
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { NestFactory } from "@nestjs/core";
import { createExpressApp } from "../../examples/express/app.ts";
import { createFastifyApp } from "../../examples/fastify/app.ts";
import { createHonoApp } from "../../examples/hono/app.ts";
import { createKoaApp } from "../../examples/koa/app.ts";
import { Books } from "../../examples/library/books.ts";
import { type App, createApp } from "../../src/index.ts";
import { announce } from "./announce.ts";
import { addCheckedRoutes, addStreamRoutes, limits } from "./stream-routes.ts";

const books = new Books();

const hosts: Readonly<Record<string, (annex: App) => Promise<number>>> = {
  async express(annex) {
    const app = createExpressApp(books, annex);
    await annex.attach(app);
    return listen((onListening) => app.listen(0, "127.0.0.1", onListening));
  },
  async fastify(annex) {
    const app = createFastifyApp(books);
    await annex.attach(app);
    await app.listen({ port: 0, host: "127.0.0.1" });
    return (app.server.address() as AddressInfo).port;
  },
  async koa(annex) {
    const app = createKoaApp(books, annex);
    await annex.attach(app);
    return listen((onListening) => app.listen(0, "127.0.0.1", onListening));
  },
  async nest(annex) {
    const app = await NestFactory.create(await loadNestModule(), { logger: false });
    await annex.attach(app);
    await app.listen(0, "127.0.0.1");
    return (app.getHttpServer().address() as AddressInfo).port;
  },
  async hono(annex) {
    const server = createAdaptorServer({ fetch: createHonoApp(books).fetch });
    await annex.attach(server);
    return listen((onListening) => server.listen(0, "127.0.0.1", onListening));
  },
};

/** Loaded by its address, because its decorators belong to another project. */
async function loadNestModule(): Promise<new () => object> {
  const load = (file: string) => import(new URL(`../../examples/nest/${file}`, import.meta.url).href);
  await load("decorators.ts");
  await import("reflect-metadata");
  return (await load("app.module.ts")).AppModule;
}

interface Listening {
  address(): AddressInfo | string | null;
}

function listen(start: (onListening: () => void) => Listening): Promise<number> {
  return new Promise((resolve) => {
    const server = start(() => resolve((server.address() as AddressInfo).port));
  });
}

const annex = createApp({
  // Checks come from the source then.
  dev: true,
  trustedProxies: ["127.0.0.1"],
  limits,
});
addStreamRoutes(annex);
annex.onServe(({ router }) => addCheckedRoutes(router));
const port = await hosts[process.argv[2]!]!(annex);
await announce(annex, port, {
  hostRoutes: [
    { method: "GET", pattern: "/" },
    { method: "GET", pattern: "/books" },
    { method: "POST", pattern: "/books" },
    { method: "GET", pattern: "/books/{book}" },
    { method: "POST", pattern: "/books/{book}/loans" },
    { method: "GET", pattern: "/unknown/{rest}" },
  ],
});
