import type { Identify, Identity, RequestEvent } from "../../http/index.ts";
import { isPromiseLike } from "../../lib/promise-like.ts";
import { AUTH_UNAVAILABLE } from "../errors.ts";
import type { AccessWatch } from "../sessions/access-watch.ts";
import { readSessionCookie } from "../sessions/session-cookie.ts";
import { createSuperuserIdentity, isSuperuser } from "../sessions/superuser-identity.ts";
import type { TokenUses } from "../sessions/token-use.ts";
import { looksLike, type Tokens } from "../sessions/tokens.ts";
import type { TokenKind } from "../tables.ts";
import { type IsAllowedAddress, markRefusedAddress } from "./allowed-addresses.ts";
import { isSafe, isSameOrigin, markCrossSite } from "./same-origin.ts";

/**
 * Authenticates the application's own users. Returns `null` or `undefined` if the request has no user, as a query
 * without a result does.
 */
export type Authenticate = (
  e: RequestEvent,
) => Identity | null | undefined | PromiseLike<Identity | null | undefined>;

interface IdentifyParts {
  readonly tokens: Tokens;
  readonly uses: TokenUses;
  readonly watch: AccessWatch;
  readonly isAllowedAddress: IsAllowedAddress;
  readonly application: () => Authenticate | undefined;
}

/**
 * Authenticates a request: a superuser by bearer token, then by browser session, then a user of the application. A
 * request without credentials of Annex causes no query and no promise.
 */
export function createIdentify(parts: IdentifyParts): Identify {
  const { tokens, uses, watch, isAllowedAddress, application } = parts;
  const askApplication: Identify = (e) => {
    const found = application()?.(e);
    return isPromiseLike(found) ? Promise.resolve(found).then(neverSuperuser) : neverSuperuser(found);
  };

  const superuserBy =
    (text: string, kind: TokenKind): Identify =>
    async (e) => {
      if (!isAllowedAddress(e.ip)) return markRefusedAddress(e);
      const credential = await tokens.find(text, kind).catch((cause: unknown) => {
        throw AUTH_UNAVAILABLE.with({ cause, headers: { "Retry-After": "5" } });
      });
      if (!credential) return null;
      uses.record(credential.tokenHash, e);
      return createSuperuserIdentity(credential, watch);
    };

  return (e) => {
    if (!e.response.observed.hasCredentials) return askApplication(e);
    const token = readBearer(e);
    if (token !== undefined) return firstKnown(e, superuserBy(token, "token"), askApplication);
    const session = readSession(e);
    if (session === undefined) return askApplication(e);
    const askSession = superuserBy(session, "session");
    // An Authorization header is explicit, while browsers send the cookie automatically. The header takes precedence.
    return e.header("authorization") === undefined
      ? firstKnown(e, askSession, askApplication)
      : firstKnown(e, askApplication, askSession);
  };
}

/** Prevents an application from reusing a superuser's identity of an earlier request, which may have been revoked. */
function neverSuperuser(identity: Identity | null | undefined): Identity | null {
  return identity && !isSuperuser(identity) ? identity : null;
}

async function firstKnown(e: RequestEvent, ...ways: Identify[]): Promise<Identity | null> {
  for (const way of ways) {
    const identity = await way(e);
    if (identity) return identity;
  }
  return null;
}

/** The Annex token in the Authorization header, with or without "Bearer". */
function readBearer(e: RequestEvent): string | undefined {
  const token = e.header("authorization")?.replace(/^bearer +/i, "");
  return token !== undefined && looksLike("token", token) ? token : undefined;
}

/** The secret of the session, unless it is a cross-site request that is not safe. */
function readSession(e: RequestEvent): string | undefined {
  const session = readSessionCookie(e);
  if (session === undefined || !looksLike("session", session)) return undefined;
  if (isSafe(e) || isSameOrigin(e)) return session;
  markCrossSite(e);
  return undefined;
}
