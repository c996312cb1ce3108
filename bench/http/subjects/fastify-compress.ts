/** Fastify with @fastify/compress, as its documentation shows it. */
import fastifyCompress from "@fastify/compress";
import Fastify from "fastify";
import { report } from "../content.ts";
import { announce } from "../subject.ts";

const app = Fastify();
await app.register(fastifyCompress);
app.get("/report", (_request, reply) => {
  reply.send(report);
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
