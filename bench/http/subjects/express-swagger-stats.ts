/** Express with swagger-stats, which has a dashboard of its own, and pino-http. */
import type { AddressInfo } from "node:net";
import express from "express";
import { pinoHttp } from "pino-http";
import swaggerStats from "swagger-stats";
import { pinoFile } from "../pino-file.ts";
import { announce } from "../subject.ts";

const app = express();
app.use(pinoHttp({}, pinoFile()));
app.use(swaggerStats.getMiddleware({}));
app.get("/hello", (_request, response) => {
  response.json({ hello: "world" });
});
app.get("/users/:id", ({ params }, response) => {
  response.json({ id: params.id });
});
const server = app.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
