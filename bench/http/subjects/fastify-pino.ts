/** What people run today: Fastify's two log lines a request, written by pino in the background. */
import Fastify from "fastify";
import pino from "pino";
import { pinoFile } from "../pino-file.ts";
import { announce } from "../subject.ts";

const app = Fastify({ loggerInstance: pino(pinoFile()) });
app.get("/hello", (_request, reply) => {
  reply.send({ hello: "world" });
});
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => {
  reply.send({ id: params.id });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
