import type { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setOwn } from "../http/index.ts";
import { traceContext } from "../lib/trace-context.ts";
import { type Adapter, type HostRoute, hasFunctions, serverOf } from "./adapter.ts";
import { describePath } from "./patterns.ts";
import { followListen, requireHttpServer } from "./server.ts";

/** The context of a request in Koa. */
interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The pattern of the route, set by @koa/router and its predecessors. */
  readonly _matchedRoute?: unknown;
}

/** The parts of a Koa application that Annex uses, in versions 2 and 3. */
interface KoaApplication extends EventEmitter {
  readonly middleware: readonly unknown[];
  handleRequest: (context: KoaContext, middleware: unknown) => Promise<unknown>;
  listen: (...args: unknown[]) => Server;
}

function isKoa(value: unknown): value is KoaApplication {
  return (
    hasFunctions(value, "callback", "handleRequest", "createContext", "listen", "on") &&
    Array.isArray((value as { middleware?: unknown }).middleware)
  );
}

/** Koa calls `app.handleRequest` for every request, whichever server received it. */
export const attachKoa: Adapter = (target, context, { server }) => {
  if (!isKoa(target)) return undefined;
  const app = target;
  const given = server && requireHttpServer(server);
  context.claim(app);
  const { handleRequest } = app;
  let isListeningForErrors = false;

  const onError = (error: unknown, ctx: KoaContext | undefined) => {
    if (ctx?.res) context.observedOf(ctx.res)?.noteError(error);
  };

  const restoreHandle = setOwn(app, "handleRequest", async (ctx, middleware) => {
    if (!context.canTake(ctx.req, ctx.res)) return Reflect.apply(handleRequest, app, [ctx, middleware]);
    // Only now: Koa logs errors itself if nothing else listens for them when the server is created.
    if (!isListeningForErrors) app.on("error", onError);
    isListeningForErrors = true;
    context.useServer(serverOf(ctx.req), { role: "seen" });
    const observed = context.take(ctx.req, ctx.res);
    if (observed === undefined) return undefined;
    observed.frameworkRequest = ctx;
    return traceContext.run(observed, () => Reflect.apply(handleRequest, app, [ctx, middleware]));
  });
  const restoreListen = followListen(app, context);
  if (given) context.useServer(given);
  const readRoutes = () => context.noteRoutes(listRoutes(app));
  readRoutes();
  return {
    name: "Koa",
    readRoutes,
    patternOf({ frameworkRequest }) {
      const matched = (frameworkRequest as KoaContext | undefined)?._matchedRoute;
      return matched === undefined ? undefined : describePath(matched)[0];
    },
    detach() {
      restoreHandle();
      restoreListen();
      app.off("error", onError);
    },
  };
};

/** The routes of all routers that the application uses directly. */
function listRoutes({ middleware }: KoaApplication): HostRoute[] {
  const layers = middleware.flatMap((func) => {
    const { router } = func as { router?: { stack?: { methods?: string[]; path?: unknown }[] } };
    return router?.stack ?? [];
  });
  return layers.flatMap(({ methods = [], path }) =>
    describePath(path).flatMap((pattern) => methods.map((method) => ({ method, pattern }))),
  );
}
