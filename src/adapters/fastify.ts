import diagnostics from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { setOwn } from "../http/index.ts";
import { type Adapter, type AttachContext, type Attachment, hasFunctions } from "./adapter.ts";
import { type FastifyRoute, FastifyRoutes, type FastifyRouting, parseRoutes } from "./fastify-routes.ts";
import { convertPath, remember } from "./patterns.ts";
import { passTo, requireHttpServer } from "./server.ts";

interface FastifyReply {
  readonly raw: ServerResponse;
}

/** What version 5 publishes about the handler of a request. */
interface HandlerMessage {
  readonly reply: FastifyReply;
  readonly route: MatchedRoute;
  readonly error?: unknown;
}

interface MatchedRoute {
  readonly url: string;
}

/** The parts of a Fastify instance that Annex uses, in versions 4 and 5. */
interface FastifyInstance {
  readonly server: unknown;
  readonly initialConfig: FastifyRouting & { readonly routerOptions?: FastifyRouting };
  addHook(name: string, hook: (...args: never[]) => void): void;
  printRoutes(options: { commonPrefix: boolean }): string;
  listen: (...args: unknown[]) => Promise<string> | undefined;
}

function isFastify(value: unknown): value is FastifyInstance {
  return hasFunctions(value, "addHook", "register", "inject", "decorateRequest") && "server" in value;
}

export const attachFastify: Adapter = (target, context) =>
  isFastify(target) ? attachToFastify(target, context) : undefined;

/** Requests come from the server. Fastify adds the errors and, in version 5, the routes. */
export function attachToFastify(fastify: FastifyInstance, context: AttachContext): Attachment {
  const server = requireHttpServer(fastify.server);
  context.claim(fastify);
  context.claim(server);
  const onRequest = passTo(context);
  const { routerOptions, ...config } = fastify.initialConfig;
  const routes = new FastifyRoutes({ ...config, ...routerOptions });
  const toPattern = remember(convertPath);
  let isAttached = true;

  const addRoutes = (added: readonly FastifyRoute[]) => {
    for (const route of added) routes.add(route);
    context.noteRoutes(added.map(({ method, url }) => ({ method, pattern: toPattern(url) })));
  };
  const noteRoute = (message: unknown) => {
    const { reply, route } = message as HandlerMessage;
    const observed = context.observedOf(reply.raw);
    if (observed !== undefined) observed.frameworkRequest = route;
  };
  const noteError = (reply: FastifyReply, error: unknown) => {
    if (isAttached) context.observedOf(reply.raw)?.noteError(error);
  };
  const noteHandlerError = (message: unknown) => {
    const { reply, error } = message as HandlerMessage;
    noteError(reply, error);
  };

  // Version 5 reports the errors of handlers even if the application has its own error handler, and also if Annex is
  // attached when no hooks are accepted any more.
  const handlers = diagnostics.tracingChannel("fastify.request.handler");
  handlers.start.subscribe(noteRoute);
  handlers.error.subscribe(noteHandlerError);
  addHooks(fastify, {
    onError: (_request: unknown, reply: FastifyReply, error: unknown, done: () => void) => {
      noteError(reply, error);
      done();
    },
    onRoute: ({ method, url }: { method: string | string[]; url: string }) => {
      addRoutes([method].flat().map((each) => ({ method: each, url })));
    },
  });
  addRoutes(parseRoutes(fastify.printRoutes({ commonPrefix: false })));
  let isOpened = false;
  context.useServer(server, { onRequest, isOpened: () => isOpened });
  const useOpened = () => {
    isOpened = true;
    // For "localhost", Fastify creates one more server for each further address.
    for (const other of secondaryServers(fastify))
      context.useServer(requireHttpServer(other), { onRequest, role: "secondary" });
  };
  const restoreListen = onListen(fastify, useOpened);
  if (server.listening) useOpened();
  return {
    name: "Fastify",
    patternOf({ frameworkRequest, method, request }) {
      // Hooks may respond before the handler, and version 4 does not say which route a handler has.
      const url = (frameworkRequest as MatchedRoute | undefined)?.url ?? routes.find(method, request.url!);
      return url === undefined ? undefined : toPattern(url);
    },
    detach() {
      isAttached = false;
      restoreListen();
      handlers.start.unsubscribe(noteRoute);
      handlers.error.unsubscribe(noteHandlerError);
    },
  };
}

/** Calls back when Fastify listens at all its addresses. Its own hook cannot be added any more once it is ready. */
function onListen(fastify: FastifyInstance, onListening: () => void): () => void {
  const { listen } = fastify;
  return setOwn(fastify, "listen", function (this: unknown, ...args) {
    const last = args.at(-1);
    if (typeof last === "function") {
      args[args.length - 1] = (error: unknown, ...rest: unknown[]) => {
        if (!error) onListening();
        last(error, ...rest);
      };
    }
    const result = Reflect.apply(listen, this, args);
    return result?.then((address) => {
      onListening();
      return address;
    });
  });
}

/** The errors of Fastify and of its plugin loader about a hook that was added too late. */
const readyCodes = new Set<unknown>(["FST_ERR_INSTANCE_ALREADY_LISTENING", "AVV_ERR_ROOT_PLG_BOOTED"]);

/** Fastify accepts no hooks once it is ready. Then errors are known from the channel only, in version 5. */
function addHooks(fastify: FastifyInstance, hooks: Record<string, (...args: never[]) => void>): void {
  for (const [name, hook] of Object.entries(hooks)) {
    try {
      fastify.addHook(name, hook);
    } catch (error) {
      if (!readyCodes.has((error as { code?: string }).code)) throw error;
    }
  }
}

function secondaryServers(fastify: FastifyInstance): readonly unknown[] {
  const key = Object.getOwnPropertySymbols(fastify).find(
    ({ description }) => description === "fastify.serverBindings",
  );
  const servers = key && (fastify as unknown as Record<symbol, unknown>)[key];
  return Array.isArray(servers) ? servers : [];
}
