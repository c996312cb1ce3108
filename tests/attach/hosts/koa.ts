import type { Server } from "node:http";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import Router from "@koa/router";
import Koa3 from "koa";
import Koa2 from "koa-2";
import { chunks, closed, type Host, type HostKind, listening, type SlowRequests } from "./host.ts";

function createKoa(Koa: typeof Koa3) {
  return (slow: SlowRequests): Host => {
    const app = new Koa();
    app.silent = true;
    const router = new Router();
    router.get("/json", (ctx) => {
      ctx.body = { hello: "world" };
    });
    router.post("/echo", async (ctx) => {
      ctx.status = 201;
      ctx.body = await json(ctx.req);
    });
    router.get("/throw", () => {
      throw new Error("thrown");
    });
    router.get("/reject", () => Promise.reject(new Error("rejected")));
    router.get("/stream", (ctx) => {
      ctx.type = "text/plain";
      ctx.body = Readable.from(chunks());
    });
    router.get("/raw", (ctx) => {
      ctx.respond = false;
      ctx.res.writeHead(202, { "Content-Type": "text/plain", "X-Own": "1" });
      ctx.res.end("raw");
    });
    const users = new Router();
    users.get("/:user", (ctx) => {
      ctx.body = ctx.params;
    });
    router.use("/orgs/:org/users", users.routes());
    router.get("/slow", async (ctx) => {
      await slow.wait();
      ctx.body = "done";
    });
    app.use(router.routes());
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

const common = { framework: "Koa", knowsErrors: true, knowsRoutes: true };

export const koaKinds: HostKind[] = [
  { ...common, name: "Koa 3", create: createKoa(Koa3) },
  { ...common, name: "Koa 2", create: createKoa(Koa2 as unknown as typeof Koa3) },
];
