import type { Identity } from "../http/index.ts";
import type { Credential } from "./tokens.ts";

/** What `e.auth` is for a superuser. */
export interface SuperuserIdentity extends Identity {
  readonly email: string;
}

// Being a key of this map is what makes an identity a superuser's. It is not a property, so an application's own
// identity cannot have it, whatever a client managed to put into that.
const credentials = new WeakMap<Identity, Credential>();

export function createSuperuserIdentity(credential: Credential): SuperuserIdentity {
  const { id, email } = credential.superuser;
  const identity = Object.freeze({ id, email });
  credentials.set(identity, credential);
  return identity;
}

/** Whether this is a superuser, found by a token or a session of ours. */
export function isSuperuser(identity: Identity | null | undefined): identity is SuperuserIdentity {
  return identity !== null && identity !== undefined && credentials.has(identity);
}

/** What the request proved with; `undefined` for anybody but a superuser. */
export function credentialOf(identity: Identity | null): Credential | undefined {
  return identity === null ? undefined : credentials.get(identity);
}
