/** The floor: node:http alone, with the little routing that both paths need. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { announce } from "../subject.ts";

const server = createServer({ keepAliveTimeout: 72_000 }, ({ url = "" }, response) => {
  if (url === "/hello") sendJson(response, { hello: "world" });
  else if (url.startsWith("/users/")) sendJson(response, { id: url.slice(7) });
  else response.writeHead(404).end();
});

function sendJson(response: ServerResponse, data: object): void {
  const body = JSON.stringify(data);
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

await once(server.listen(0, "127.0.0.1"), "listening");
announce((server.address() as AddressInfo).port);
