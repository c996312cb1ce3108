/** The ways in which a handler responds with the functions of Node. */
import type { ServerResponse } from "node:http";

const text = "A sentence that compresses well. ".repeat(40);

export const responses: Record<string, (response: ServerResponse) => unknown> = {
  "nothing but an end": (response) => response.end(),
  text(response) {
    response.setHeader("Content-Type", "text/plain");
    response.end(text);
  },
  "text with a length": (response) =>
    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": text.length }).end(text),
  chunks(response) {
    response.setHeader("content-type", "text/plain");
    for (let part = 0; part < 3; part++) response.write(text);
    response.end();
  },
  "a status message": (response) => response.writeHead(418, "Short and stout", { "X-Own": "1" }).end("tea"),
  "a list of headers": (response) => response.writeHead(200, ["X-Own", "1", "x-own", "2"]).end("list"),
  "both kinds of headers"(response) {
    response.setHeader("X-First", "1");
    response.setHeader("Cache-Control", "no-store");
    response.writeHead(201, { "X-Second": "2" }).end("both");
  },
  cookies(response) {
    response.setHeader("Set-Cookie", ["a=1; Path=/", "b=2; HttpOnly"]);
    response.end("cookies");
  },
  "no content": (response) => response.writeHead(204).end(),
  "not modified": (response) => response.writeHead(304, { ETag: '"a"' }).end(),
  "an error of the server": (response) =>
    response.writeHead(500, { "Content-Type": "text/plain" }).end("failed"),
  "no connection": (response) => response.writeHead(200, { Connection: "close" }).end("closed"),
  "early hints"(response) {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.end("hinted");
  },
  trailers(response) {
    // Node accepts trailers only after chunks.
    const { method, httpVersion } = response.req;
    if (method === "HEAD" || httpVersion === "1.0") return response.end();
    response.writeHead(200, { Trailer: "X-Sum" });
    response.write("summed");
    response.addTrailers({ "X-Sum": "1" });
    response.end();
  },
  "an event stream"(response) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("data: 1\n\n");
    response.end("data: 2\n\n");
  },
  "a response that is destroyed": (response) => response.destroy(),
  "a connection that ends": (response) => response.socket!.end(),
};
