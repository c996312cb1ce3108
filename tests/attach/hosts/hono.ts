import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { streamText } from "hono/streaming";
import { chunks, closed, type Host, type HostKind, listening, type SlowRequests } from "./host.ts";

function createHono(slow: SlowRequests): Host & { server: Server } {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (_c, next) => next());
  app.get("/json", (c) => c.json({ hello: "world" }));
  app.post("/echo", async (c) => c.json(await c.req.json(), 201));
  app.get("/throw", () => {
    throw new Error("thrown");
  });
  app.get("/reject", () => Promise.reject(new Error("rejected")));
  app.get("/stream", (c) =>
    streamText(c, async (stream) => {
      for (const chunk of chunks()) await stream.write(chunk);
    }),
  );
  app.get("/raw", (c) => {
    const { outgoing } = c.env;
    outgoing.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
    outgoing.end("raw");
    return RESPONSE_ALREADY_SENT;
  });
  const users = new Hono();
  users.get("/:user", (c) => c.json(c.req.param()));
  app.route("/orgs/:org/users", users);
  app.get("/slow", async (c) => {
    await slow.wait();
    return c.text("done");
  });
  app.onError((_error, c) => c.text("Internal Server Error", 500));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  return { target: app, server, listen: () => listening(server.listen(0)), close: () => closed(server) };
}

export const honoKinds: HostKind[] = [
  { name: "Hono", framework: "Hono", knowsErrors: true, knowsRoutes: true, create: createHono },
];
