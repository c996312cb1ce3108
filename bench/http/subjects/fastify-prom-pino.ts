/** Fastify with pino and, for metrics, a histogram of prom-client by method, route and status. */
import Fastify from "fastify";
import pino from "pino";
import { collectDefaultMetrics, Histogram } from "prom-client";
import { pinoFile } from "../pino-file.ts";
import { announce } from "../subject.ts";

collectDefaultMetrics();
const duration = new Histogram({
  name: "http_request_duration_seconds",
  help: "How long requests took.",
  labelNames: ["method", "route", "status"],
});

const app = Fastify({ loggerInstance: pino(pinoFile()) });
app.addHook("onResponse", (request, reply, done) => {
  const labels = { method: request.method, route: request.routeOptions.url ?? "", status: reply.statusCode };
  duration.observe(labels, reply.elapsedTime / 1_000);
  done();
});
app.get("/hello", (_request, reply) => {
  reply.send({ hello: "world" });
});
app.get<{ Params: { id: string } }>("/users/:id", ({ params }, reply) => {
  reply.send({ id: params.id });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
