/** What people run today: Fastify's two log lines a request, written by pino in the background. */
import { join } from "node:path";
import Fastify from "fastify";
import pino from "pino";
import { announce, scratchFolder } from "../subject.ts";

const destination = pino.destination({
  dest: join(scratchFolder(), "requests.log"),
  sync: false,
  minLength: 4096,
});
const app = Fastify({ loggerInstance: pino(destination) });
app.get("/hello", (_request, reply) => {
  reply.send({ hello: "world" });
});
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => {
  reply.send({ id: params.id });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
