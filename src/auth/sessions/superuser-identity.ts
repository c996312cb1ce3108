import type { Identity, RequestEvent, RevocationOf } from "../../http/index.ts";
import { AUTH_REQUIRED } from "../errors.ts";
import type { AccessWatch } from "./access-watch.ts";
import type { Credential } from "./tokens.ts";

/** The value of `e.auth` for a superuser. */
export interface SuperuserIdentity extends Identity {
  readonly email: string;
}

interface Reauthentication {
  readonly credential: Credential;
  readonly watch: AccessWatch;
}

// An identity is a superuser only if it is a key of this map. A property could be forged through an identity of the
// application.
const proofs = new WeakMap<Identity, Reauthentication>();

export function createSuperuserIdentity(credential: Credential, watch: AccessWatch): SuperuserIdentity {
  const { id, email } = credential.superuser;
  const identity = Object.freeze({ id, email });
  proofs.set(identity, { credential, watch });
  return identity;
}

/** Whether the identity is a superuser, authenticated by a token or session of Annex. */
export function isSuperuser(identity: Identity | null | undefined): identity is SuperuserIdentity {
  return identity !== null && identity !== undefined && proofs.has(identity);
}

/** The email of the superuser who sent the request, for audit logs. */
export function actorOf(e: RequestEvent<never>): string | undefined {
  return isSuperuser(e.auth) ? e.auth.email : undefined;
}

/** The credential of a superuser's request. `undefined` for other identities. */
export function credentialOf(identity: Identity | null): Credential | undefined {
  return identity === null ? undefined : proofs.get(identity)?.credential;
}

/** Like `credentialOf`, for routes with `requireSuperuserAuth`. */
export function demandCredential(e: RequestEvent<never>): Credential {
  const credential = credentialOf(e.auth);
  if (!credential) throw AUTH_REQUIRED();
  return credential;
}

/**
 * For long responses: a signal that aborts when the token or session of the request is no longer valid, regardless of
 * the instance that ended it. End the response then; otherwise, the connection is closed shortly after. `undefined` if
 * the request was not sent by a superuser.
 */
export function revocationSignal({ response }: RequestEvent<never>): AbortSignal | undefined {
  return revocationOf(response);
}

/** The same for the listener, which ends event streams and WebSockets. */
export const revocationOf: RevocationOf = (response) => {
  const { identity } = response.observed;
  const proof = identity === null ? undefined : proofs.get(identity);
  return proof?.watch.follow(proof.credential.tokenHash, response);
};
