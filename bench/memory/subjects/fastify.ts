/** The bare server. */
import Fastify from "fastify";
import { announce, page } from "../subject.ts";

const app = Fastify({ trustProxy: true });
app.get("/pages/:name", (_request, reply) => {
  reply.type("text/html").send(page);
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
