import { Server as NetServer } from "node:net";
import type { Adapter } from "./adapter.ts";
import { type ExpressApplication, isExpress } from "./express/application.ts";
import { attachToExpress } from "./express/express.ts";
import { attachServer, requireHttpServer } from "./server.ts";
import { findVariable } from "./variables.ts";

/** Any server of node:http or node:https. */
export const attachNode: Adapter = (target, context) => {
  if (!(target instanceof NetServer)) return undefined;
  const server = requireHttpServer(target);
  const attached = attachServer(server, context, { name: "node:http" });
  const application = findExpress(server.listeners("request"));
  return application ? attachToExpress(application, context) : attached;
};

/**
 * The Express application among the listeners of a server. socket.io replaces all listeners by one function, which calls
 * them.
 */
function findExpress(listeners: readonly unknown[], depth = 0): ExpressApplication | undefined {
  for (const listener of listeners) {
    if (isExpress(listener)) return listener;
    if (typeof listener !== "function" || depth > maxReplacements) continue;
    for (const name of variables) {
      const replaced = findVariable(listener as () => unknown, name);
      const found = Array.isArray(replaced) ? findExpress(replaced, depth + 1) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

/** How engine.io and socket.io call the listeners that they have replaced. */
const variables = ["listeners", "evs"];

/** How many libraries may have replaced the listeners. */
const maxReplacements = 3;
