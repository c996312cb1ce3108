import type { Identity, RequestEvent } from "../http/index.ts";
import type { AccessWatch } from "./access-watch.ts";
import { AUTH_REQUIRED } from "./errors.ts";
import type { Credential } from "./tokens.ts";

/** What `e.auth` is for a superuser. */
export interface SuperuserIdentity extends Identity {
  readonly email: string;
}

interface Proof {
  readonly credential: Credential;
  readonly watch: AccessWatch;
}

// Being a key of this map is what makes an identity a superuser's. It is not a property, so an application's own
// identity cannot have it, whatever a client managed to put into that.
const proofs = new WeakMap<Identity, Proof>();

export function createSuperuserIdentity(credential: Credential, watch: AccessWatch): SuperuserIdentity {
  const { id, email } = credential.superuser;
  const identity = Object.freeze({ id, email });
  proofs.set(identity, { credential, watch });
  return identity;
}

/** Whether this is a superuser, found by a token or a session of ours. */
export function isSuperuser(identity: Identity | null | undefined): identity is SuperuserIdentity {
  return identity !== null && identity !== undefined && proofs.has(identity);
}

/** What the request proved with; `undefined` for anybody but a superuser. */
export function credentialOf(identity: Identity | null): Credential | undefined {
  return identity === null ? undefined : proofs.get(identity)?.credential;
}

/** As `credentialOf`, behind `requireSuperuserAuth`. */
export function demandCredential(e: RequestEvent<never>): Credential {
  const credential = credentialOf(e.auth);
  if (!credential) throw AUTH_REQUIRED();
  return credential;
}

/**
 * For a response that takes long: a signal that aborts when the token or session that sent the request is no longer
 * valid, on whichever instance it was ended. End the response then; it is cut off soon after. `undefined` when no
 * superuser sent the request.
 */
export function revocationSignal(e: RequestEvent<never>): AbortSignal | undefined {
  const proof = e.auth === null ? undefined : proofs.get(e.auth);
  return proof?.watch.follow(proof.credential.tokenHash, e.response);
}
