/** The baseline: Fastify with nothing on it, in its fastest form; an async handler costs it another per cent. */
import Fastify from "fastify";
import { announce } from "../subject.ts";

const app = Fastify();
app.get("/hello", (_request, reply) => {
  reply.send({ hello: "world" });
});
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => {
  reply.send({ id: params.id });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
