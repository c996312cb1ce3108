/** Fastify with @fastify/rate-limit, which counts in memory. */
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { announce } from "../subject.ts";

const app = Fastify();
await app.register(rateLimit, { max: 1_000_000_000, timeWindow: "1 day" });
app.get("/limited", (_request, reply) => {
  reply.send({ hello: "world" });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
