/** Hono on @hono/node-server with nothing on it, or with Annex attached. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { attachAnnex } from "../../attach-annex.ts";
import { announce } from "../../subject.ts";

const app = new Hono();
app.get("/hello", (c) => c.json({ hello: "world" }));
app.get("/users/:id", (c) => c.json({ id: c.req.param("id") }));

const server = createAdaptorServer({ fetch: app.fetch }) as Server;
await attachAnnex(app, server);
await once(server.listen(0, "127.0.0.1"), "listening");
announce((server.address() as AddressInfo).port);
