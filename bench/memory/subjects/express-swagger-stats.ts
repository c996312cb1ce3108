/** Express with swagger-stats, which keeps its numbers in memory too. */
import type { AddressInfo } from "node:net";
import express from "express";
import swaggerStats from "swagger-stats";
import { announce, page } from "../subject.ts";

const app = express().set("trust proxy", true);
app.use(swaggerStats.getMiddleware({}));
app.get("/pages/:name", (_request, response) => {
  response.type("html").send(page);
});
const server = app.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
