import { Readable } from "node:stream";
import { fastify as fastify5 } from "fastify";
import { fastify as fastify4 } from "fastify-4";
import { chunks, type Host, type HostKind, type SlowRequests } from "./host.ts";

type Fastify = typeof fastify5;

function createFastify(fastify: Fastify) {
  return (slow: SlowRequests): Host => {
    const app = fastify({ forceCloseConnections: true });
    app.get("/json", async () => ({ hello: "world" }));
    app.post("/echo", async (request, reply) => reply.code(201).send(request.body));
    app.get("/throw", () => {
      throw new Error("thrown");
    });
    app.get("/reject", () => Promise.reject(new Error("rejected")));
    app.get("/stream", (_request, reply) => reply.type("text/plain").send(Readable.from(chunks())));
    app.get("/raw", (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
      reply.raw.end("raw");
    });
    app.register(
      async (users) => {
        users.get("/:user", async (request) => request.params);
      },
      { prefix: "/orgs/:org/users" },
    );
    app.get("/slow", async () => {
      await slow.wait();
      return "done";
    });
    return {
      target: app,
      async listen() {
        await app.listen({ port: 0, host: "127.0.0.1" });
        return app.server;
      },
      close: () => app.close(),
    };
  };
}

const common = { framework: "Fastify", knowsErrors: true, knowsRoutes: true };

export const fastifyKinds: HostKind[] = [
  { ...common, name: "Fastify 5", create: createFastify(fastify5) },
  { ...common, name: "Fastify 4", create: createFastify(fastify4 as unknown as Fastify) },
];
