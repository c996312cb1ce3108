import type { MiddlewareHandler, RequestEvent } from "../http/index.ts";
import { isRefusedAddress } from "./allowed-addresses.ts";
import { ADDRESS_NOT_ALLOWED, AUTH_REQUIRED, CROSS_SITE_REQUEST, SUPERUSER_REQUIRED } from "./errors.ts";
import { isCrossSite, isSameOrigin } from "./same-origin.ts";
import { isSuperuser } from "./superuser-identity.ts";

export interface RequireAuthOptions {
  /** The name of a scheme in the version's `securitySchemes`, for its document. Default: the only one there is. */
  readonly scheme?: string;
}

/** Middleware that refuses requests without an identity, whether of a superuser or of the application's own users. */
export function requireAuth({ scheme }: RequireAuthOptions = {}): MiddlewareHandler {
  return {
    id: "requireAuth",
    documents: { auth: "any", scheme },
    func(e) {
      if (!e.auth) throw unknownSender(e);
      return e.next();
    },
  };
}

/** Middleware that lets in superusers only. */
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

/** Throws unless a superuser sent the request; for routes that only sometimes need one. */
export function demandSuperuser(e: RequestEvent<never>): void {
  if (!e.auth) throw unknownSender(e);
  if (!isSuperuser(e.auth)) throw SUPERUSER_REQUIRED();
}

/** Middleware for the forms of our own pages, also those that nobody has signed in for yet. */
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
