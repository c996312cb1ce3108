import type { Server } from "node:http";
import { runObserved, setOwn, toHttpServer } from "../http/index.ts";
import { StartError } from "../lib/errors/start-error.ts";
import type { AttachContext, Attachment, ServerUse } from "./adapter.ts";

/** Puts Annex before the listeners of a server. */
export function attachServer(
  server: Server,
  context: AttachContext,
  attachment: Omit<Attachment, "detach">,
  use: ServerUse = {},
): Attachment {
  context.claim(server);
  context.useServer(server, { ...use, onRequest: passTo(context) });
  return { ...attachment, detach: () => {} };
}

/** Passes the requests that are not for Annex to the listeners of the server. */
export function passTo({ canTake, take }: AttachContext): NonNullable<ServerUse["onRequest"]> {
  return (request, response, next) => {
    if (!canTake(request, response)) {
      next();
      return false;
    }
    const observed = take(request, response);
    if (observed !== undefined) runObserved(observed, next);
    return observed === undefined;
  };
}

/** Follows the servers that an application opens with its `listen` method. Returns a function that restores it. */
export function followListen(
  app: { listen: (...args: unknown[]) => Server },
  context: AttachContext,
): () => void {
  const { listen } = app;
  return setOwn(app, "listen", (...args) => {
    const server = Reflect.apply(listen, app, args) as Server;
    context.useServer(server);
    return server;
  });
}

export function requireHttpServer(server: unknown): Server {
  const supported = toHttpServer(server);
  if (supported) return supported;
  throw new StartError(
    "ATTACH_UNSUPPORTED",
    "Annex cannot be attached to this server: only servers of node:http and node:https are supported. For HTTP/2, use a proxy in front of an HTTP/1.1 server.",
  );
}
