import { traceContext } from "../../lib/trace-context.ts";
import { RequestEvent } from "../event.ts";
import { ObservedRequest } from "../observation/observed-request.ts";
import { openRequests } from "../observation/peer.ts";

/** The ways to Node's request in Fastify, NestJS, Koa and Hono. */
const ways = ["raw", "req", "incoming", "env", "request"] as const;

/**
 * What is known about a request, given Node's request or that of a framework. Without one, and for a request that is not
 * known, it is the current request.
 */
export function findObserved(request?: object): ObservedRequest | undefined {
  const found = request && findOpen(request, 3);
  if (found) return found;
  const current = traceContext.getStore();
  if (current instanceof RequestEvent) return current.response.observed;
  return current instanceof ObservedRequest ? current : undefined;
}

function findOpen(request: object, depth: number): ObservedRequest | undefined {
  const { socket } = request as { socket?: unknown };
  if (typeof socket === "object" && socket !== null) {
    const open = openRequests(socket as never).find((each) => each.request === request);
    if (open instanceof ObservedRequest) return open;
  }
  if (depth === 0) return undefined;
  for (const way of ways) {
    const next = (request as Record<string, unknown>)[way];
    if (typeof next !== "object" || next === null) continue;
    const found = findOpen(next, depth - 1);
    if (found) return found;
  }
  return undefined;
}
