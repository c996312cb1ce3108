import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { chunks, closed, type Host, type HostKind, listening, type SlowRequests } from "./host.ts";

function createListener(slow: SlowRequests) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const [path = ""] = (request.url ?? "").split("?");
    const users = /^\/orgs\/([^/]+)\/users\/([^/]+)$/.exec(path);
    if (users) return send(200, { org: users[1], user: users[2] });
    switch (`${request.method === "HEAD" ? "GET" : request.method} ${path}`) {
      case "GET /json":
        return send(200, { hello: "world" });
      case "POST /echo":
        return send(201, JSON.parse(await text(request)));
      case "GET /throw":
      case "GET /reject":
        return send(500, { error: true });
      case "GET /stream":
        response.setHeader("Content-Type", "text/plain");
        return void Readable.from(chunks()).pipe(response);
      case "GET /raw":
        response.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
        return void response.end("raw");
      case "GET /slow":
        await slow.wait();
        return void response.end("done");
      default:
        return send(404, {});
    }
  };
}

function createNode(slow: SlowRequests): Host {
  const server = createServer(createListener(slow));
  return { target: server, listen: () => listening(server.listen(0)), close: () => closed(server) };
}

export const nodeKinds: HostKind[] = [
  { name: "node:http", framework: "node:http", knowsErrors: false, knowsRoutes: false, create: createNode },
];
