/** An Express application in two processes that share a port, with Annex attached in each: see `cluster.test.ts`. */
import cluster from "node:cluster";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import express from "express";
import { createApp } from "../../../src/index.ts";

const { DATA: dataDir = "", DATABASE } = process.env;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (cluster.isPrimary) {
  for (let count = 0; count < 2; count++) cluster.fork();
  cluster.on("exit", ({ id }, code, signal) => print(`worker ${id} ended with ${code ?? signal}`));
} else {
  const id = cluster.worker!.id;
  const app = express();
  app.get("/worker", (_request, response) => void response.set("Connection", "close").json({ id }));
  const annex = createApp({
    dataDir: DATABASE === undefined ? dataDir : join(dataDir, String(id)),
    ...(DATABASE !== undefined && { database: DATABASE }),
    docsSources: false,
    log: { destination: join(dataDir, `app-${id}.log`), format: "json" },
  });
  await annex.attach(app);
  const server = app.listen(0, "127.0.0.1", () => {
    print(`worker ${id} up at http://127.0.0.1:${(server.address() as AddressInfo).port} as ${process.pid}`);
  });
}
