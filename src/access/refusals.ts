import { type AccessEvent, isSuperuser } from "../auth/index.ts";
import type { RefusedRequest } from "../http/index.ts";

/** Routes where a 401 or 403 is a failed sign-in, which the auth feature reports with the attempted name. */
const signIns = new Set(["/_/sign-in", "/api/collections/_superusers/auth-with-password"]);

/**
 * The event of a request that got 401 or 403 from a route of Annex. A superuser's request does not count: if it got a
 * 403, then because nobody may do that, for example remove a system job.
 */
export function toRefusal(request: RefusedRequest): AccessEvent | undefined {
  const { route, method, statusCode, identity, client, traceId } = request;
  if (route?.owner !== "Annex" || signIns.has(route.pattern.text) || isSuperuser(identity)) return undefined;
  return {
    kind: "access-refused",
    account: identity?.id,
    origin: { address: client.ip, agent: client.userAgent, traceId },
    detail: `${method} ${route.pattern.text} (${statusCode})`,
  };
}
