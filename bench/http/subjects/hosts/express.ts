/** Express with nothing on it, or with Annex attached. */
import type { AddressInfo } from "node:net";
import express from "express";
import { attachAnnex } from "../../attach-annex.ts";
import { announce } from "../../subject.ts";

const app = express();
app.get("/hello", (_request, response) => {
  response.json({ hello: "world" });
});
app.get("/users/:id", ({ params }, response) => {
  response.json({ id: params.id });
});
await attachAnnex(app);
const server = app.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
