import type { ServerResponse } from "node:http";
import { setOwn } from "../http/index.ts";
import { type Adapter, type AttachContext, type Attachment, hasFunctions } from "./adapter.ts";
import { type FastifyRoute, FastifyRoutes, type FastifyRouting, parseRoutes } from "./fastify-routes.ts";
import { convertPath, remember } from "./patterns.ts";
import { passTo, requireHttpServer } from "./server.ts";

interface FastifyReply {
  readonly raw: ServerResponse;
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

/**
 * Requests come from the server, and errors from a hook. The channel `fastify.request.handler` has both, and also the
 * routes. It is not used: with a subscriber, version 5 sets the status of an error before the error handler of the
 * application runs.
 */
export function attachToFastify(fastify: FastifyInstance, context: AttachContext): Attachment {
  const server = requireHttpServer(fastify.server);
  context.claim(fastify);
  context.claim(server);
  const onRequest = passTo(context);
  const { routerOptions, ...config } = fastify.initialConfig;
  const routes = new FastifyRoutes({ ...config, ...routerOptions });
  const toPattern = remember(convertPath);
  let isAttached = true;
  let isComplete = true;

  const readRoutes = () => parseRoutes(fastify.printRoutes({ commonPrefix: true }));
  const addRoutes = (added: readonly FastifyRoute[]) => {
    for (const route of added) routes.add(route);
    context.noteRoutes(added.map(({ method, url }) => ({ method, pattern: toPattern(url) })));
  };
  /** For a route `/` with a prefix, Fastify adds the paths `/prefix` and `/prefix/`, but calls its hook only for the first. */
  const completeRoutes = () => {
    if (isComplete) return;
    isComplete = true;
    for (const route of readRoutes()) if (route.url.endsWith("/")) routes.add(route);
  };
  const noteError = (reply: FastifyReply, error: unknown) => {
    if (isAttached) context.observedOf(reply.raw)?.noteError(error);
  };
  addHooks(fastify, {
    onError: (_request: unknown, reply: FastifyReply, error: unknown, done: () => void) => {
      noteError(reply, error);
      done();
    },
    onRoute: ({ method, url }: { method: string | string[]; url: string }) => {
      addRoutes([method].flat().map((each) => ({ method: each, url })));
      isComplete = false;
    },
  });
  addRoutes(readRoutes());
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
    patternOf({ method, request }) {
      completeRoutes();
      const url = routes.find(method, request.url!);
      return url === undefined ? undefined : toPattern(url);
    },
    detach() {
      isAttached = false;
      restoreListen();
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

/** Fastify accepts no hooks once it is ready. Then its errors are not known. */
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
