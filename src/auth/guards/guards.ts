import type { MiddlewareHandler, RequestEvent } from "../../http/index.ts";
import { refuseUnknown } from "../../lib/options/only-known.ts";
import { ADDRESS_NOT_ALLOWED, AUTH_REQUIRED, CROSS_SITE_REQUEST, SUPERUSER_REQUIRED } from "../errors.ts";
import { isSuperuser } from "../sessions/superuser-identity.ts";
import { isRefusedAddress } from "./allowed-addresses.ts";
import { isCrossSite, isSameOrigin } from "./same-origin.ts";

export interface RequireAuthOptions {
  /** Name of a scheme in the version's `securitySchemes`, for its document. Optional if there is only one. */
  readonly scheme?: string;
}

/**
 * Middleware that rejects unauthenticated requests with `401`. It accepts superusers and the application's own users.
 *
 * ```ts
 * router.post("/todos", createTodo).bind(requireAuth());
 * ```
 */
export function requireAuth(options: RequireAuthOptions = {}): MiddlewareHandler {
  refuseUnknown<RequireAuthOptions>("requireAuth", options, { scheme: true });
  const { scheme } = options;
  return {
    id: "requireAuth",
    documents: { auth: "any", scheme },
    func(e) {
      if (!e.auth) throw unknownSender(e);
      return e.next();
    },
  };
}

/** Middleware that accepts only superusers. Other users get `403`. */
export function requireSuperuserAuth(): MiddlewareHandler {
  return {
    id: "requireSuperuserAuth",
    documents: { auth: "superuser" },
    func(e) {
      demandSuperuser(e);
      return e.next();
    },
  };
}

/** Throws unless a superuser sent the request. For routes that require a superuser in some cases only. */
export function demandSuperuser(e: RequestEvent<never>): void {
  if (!e.auth) throw unknownSender(e);
  if (!isSuperuser(e.auth)) throw SUPERUSER_REQUIRED();
}

/** Middleware that rejects cross-site form submissions, with or without a session. */
export function requireSameOrigin(): MiddlewareHandler {
  return {
    id: "requireSameOrigin",
    func(e) {
      if (!isSameOrigin(e)) throw CROSS_SITE_REQUEST();
      return e.next();
    },
  };
}

function unknownSender(e: RequestEvent<never>): Error {
  if (isCrossSite(e)) return CROSS_SITE_REQUEST();
  if (isRefusedAddress(e)) return ADDRESS_NOT_ALLOWED();
  return AUTH_REQUIRED.with({ headers: { "WWW-Authenticate": "Bearer" } });
}
