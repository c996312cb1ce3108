import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { toHttpServer } from "../http/index.ts";
import { StartError } from "../lib/errors/start-error.ts";
import { traceContext } from "../lib/trace-context.ts";
import type { Adapter, AttachContext, Attachment, ServerUse } from "./adapter.ts";
import { isExpress } from "./express/application.ts";
import { attachExpressServer } from "./express/express.ts";

/** Any server of node:http or node:https. */
export const attachNode: Adapter = (target, context) => {
  if (!(target instanceof NetServer)) return undefined;
  const server = requireHttpServer(target);
  const application = (server.listeners("request") as unknown[]).find(isExpress);
  if (application) return attachExpressServer(application, server, context);
  return attachServer(server, context, { name: "node:http" });
};

/** Puts Annex before the listeners of a server. */
export function attachServer(
  server: Server,
  context: AttachContext,
  attachment: Omit<Attachment, "detach">,
): Attachment {
  context.useServer(server, { onRequest: passTo(context) });
  return { ...attachment, detach: () => {} };
}

/** Passes the requests that are not for Annex to the listeners of the server. */
export function passTo({ take }: AttachContext): NonNullable<ServerUse["onRequest"]> {
  return (request, response, next) => {
    const observed = take(request, response);
    if (observed !== undefined) traceContext.run(observed, next);
    return observed === undefined;
  };
}

export function requireHttpServer(server: unknown): Server {
  const supported = toHttpServer(server);
  if (supported) return supported;
  throw new StartError(
    "ATTACH_UNSUPPORTED",
    "Annex cannot be attached to this server: only servers of node:http and node:https are supported. For HTTP/2, use a proxy in front of an HTTP/1.1 server.",
  );
}
