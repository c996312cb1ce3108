import diagnostics from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { type ObservedRequest, setOwn } from "../http/index.ts";
import { type Adapter, type AttachContext, type Attachment, hasFunctions } from "./adapter.ts";
import { parseRoutes } from "./fastify-routes.ts";
import { convertPath } from "./patterns.ts";
import { passTo, requireHttpServer } from "./server.ts";

interface FastifyRequest {
  readonly routeOptions?: { readonly url?: string };
}

interface FastifyReply {
  readonly raw: ServerResponse;
}

/** What Fastify publishes about the handler of a request. */
interface HandlerMessage {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly error?: unknown;
}

/** The parts of a Fastify instance that Annex uses, in versions 4 and 5. */
interface FastifyInstance {
  readonly server: unknown;
  addHook(name: string, hook: (...args: never[]) => void): void;
  printRoutes(options: { commonPrefix: boolean }): string;
  listen: (...args: unknown[]) => Promise<string> | undefined;
}

function isFastify(value: unknown): value is FastifyInstance {
  return hasFunctions(value, "addHook", "register", "inject", "decorateRequest") && "server" in value;
}

export const attachFastify: Adapter = (target, context) =>
  isFastify(target) ? attachToFastify(target, context) : undefined;

/** Requests come from the server; hooks add the route and the error. */
export function attachToFastify(fastify: FastifyInstance, context: AttachContext): Attachment {
  const server = requireHttpServer(fastify.server);
  context.claim(fastify);
  context.claim(server);
  const onRequest = passTo(context);
  const patterns = new Map<string, string>();
  let isAttached = true;

  const note = (request: FastifyRequest, reply: FastifyReply): ObservedRequest | undefined => {
    const observed = isAttached ? context.observedOf(reply.raw) : undefined;
    if (observed !== undefined) observed.frameworkRequest = request;
    return observed;
  };
  const noteStart = (message: unknown) => {
    const { request, reply } = message as HandlerMessage;
    note(request, reply);
  };
  const noteError = (message: unknown) => {
    const { request, reply, error } = message as HandlerMessage;
    note(request, reply)?.noteError(error);
  };

  // Version 5 reports the errors of handlers even if the application has its own error handler, and also if Annex is
  // attached when no hooks are accepted any more.
  const handlers = diagnostics.tracingChannel("fastify.request.handler");
  handlers.start.subscribe(noteStart);
  handlers.error.subscribe(noteError);
  addHooks(fastify, {
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      note(request, reply);
      done();
    },
    // Hooks of the application that were added before may respond, so that `onRequest` does not run.
    onSend: (request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
      note(request, reply);
      done();
    },
    onError: (request: FastifyRequest, reply: FastifyReply, error: unknown, done: () => void) => {
      note(request, reply)?.noteError(error);
      done();
    },
    onRoute: ({ method, url }: { method: string | string[]; url: string }) => {
      context.noteRoutes([method].flat().map((each) => ({ method: each, pattern: convertPath(url) })));
    },
  });
  context.noteRoutes(parseRoutes(fastify.printRoutes({ commonPrefix: false })));
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
    patternOf({ frameworkRequest }) {
      const url = (frameworkRequest as FastifyRequest | undefined)?.routeOptions?.url;
      if (url === undefined) return undefined;
      const known = patterns.get(url) ?? convertPath(url);
      patterns.set(url, known);
      return known;
    },
    detach() {
      isAttached = false;
      restoreListen();
      handlers.start.unsubscribe(noteStart);
      handlers.error.unsubscribe(noteError);
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

/** Fastify accepts no hooks once it is ready. Then routes are known from the channel only, as in version 5. */
function addHooks(fastify: FastifyInstance, hooks: Record<string, (...args: never[]) => void>): void {
  for (const [name, hook] of Object.entries(hooks)) {
    try {
      fastify.addHook(name, hook);
    } catch (error) {
      if ((error as { code?: string }).code !== "FST_ERR_INSTANCE_ALREADY_LISTENING") throw error;
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
