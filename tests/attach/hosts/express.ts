import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import express5 from "express";
import express4 from "express-4";
import { chunks, closed, type Host, type HostKind, listening, type SlowRequests } from "./host.ts";

type Express = typeof express5;

export function createExpressApp(express: Express, slow: SlowRequests) {
  const app = express();
  const users = express.Router({ mergeParams: true });
  users.get("/:user", (request, response) => void response.json(request.params));
  app.get("/json", (_request, response) => void response.json({ hello: "world" }));
  app.post("/echo", express.json(), (request, response) => void response.status(201).json(request.body));
  app.get("/throw", () => {
    throw new Error("thrown", { cause: new Error("The store is closed") });
  });
  // Version 4 does not handle promises.
  app.get("/reject", (_request, _response, next) => void Promise.reject(new Error("rejected")).catch(next));
  app.get("/stream", (_request, response) => void Readable.from(chunks()).pipe(response.type("text/plain")));
  app.get("/raw", (_request, response) => {
    response.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
    response.end("raw");
  });
  app.use("/orgs/:org/users", users);
  app.get("/slow", async (_request, response) => {
    await slow.wait();
    response.send("done");
  });
  return app;
}

function createExpress(express: Express) {
  return (slow: SlowRequests): Host => {
    const app = createExpressApp(express, slow);
    let server: Server | undefined;
    return {
      target: app,
      async listen() {
        server = app.listen(0);
        return listening(server);
      },
      close: async () => server && closed(server),
    };
  };
}

/** Attached to the server instead of the application. */
function createExpressServer(express: Express) {
  return (slow: SlowRequests): Host => {
    const server = createServer(createExpressApp(express, slow));
    return {
      target: server,
      listen: () => listening(server.listen(0)),
      close: () => closed(server),
    };
  };
}

const common = { framework: "Express", knowsErrors: true, knowsRoutes: true };

export const expressKinds: HostKind[] = [
  { ...common, name: "Express 5", create: createExpress(express5) },
  { ...common, name: "Express 4", create: createExpress(express4 as unknown as Express) },
  { ...common, name: "the server of Express 5", create: createExpressServer(express5) },
  { ...common, name: "the server of Express 4", create: createExpressServer(express4 as unknown as Express) },
];
