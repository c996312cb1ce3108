import { type AccessEvent, isSuperuser } from "../../../auth/index.ts";
import type { RefusedRequest } from "../../../http/index.ts";

/** Routes where the auth feature reports a refusal as a failed sign-in, with the attempted name. */
const signIns = ["/_/sign-in", "/_/setup", "/api/collections/_superusers/auth-with-password"];
/** The refusal that precedes the check of the credentials. */
const crossSite = "CROSS_SITE_REQUEST";

/**
 * Returns the access event of a request that got 401 or 403 from a route of Annex. Requests of superusers are excluded:
 * they get 403 only for actions that are never allowed, such as removing a system job.
 */
export function toRefusal(request: RefusedRequest): AccessEvent | undefined {
  const { route, method, statusCode, identity, errorCode, client, traceId } = request;
  if (route?.owner !== "Annex" || isSuperuser(identity)) return undefined;
  // A base path may precede them.
  const isSignIn = signIns.some((path) => route.pattern.text.endsWith(path));
  if (isSignIn && errorCode !== crossSite) return undefined;
  const reason = errorCode === crossSite ? `${statusCode}, cross-site` : statusCode;
  return {
    kind: "access-refused",
    account: identity?.id,
    origin: { address: client.ip, agent: client.userAgent, traceId },
    detail: `${method} ${route.pattern.text} (${reason})`,
  };
}
