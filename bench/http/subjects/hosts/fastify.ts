/** Fastify with nothing on it, in its fastest form (an async handler costs another per cent), or with Annex attached. */
import Fastify from "fastify";
import { attachAnnex } from "../../attach-annex.ts";
import { announce } from "../../subject.ts";

const app = Fastify();
app.get("/hello", (_request, reply) => {
  reply.send({ hello: "world" });
});
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => {
  reply.send({ id: params.id });
});

await attachAnnex(app);
const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
