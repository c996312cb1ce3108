import type { RequestEvent } from "../../http/index.ts";

/** Whether superusers can sign in and use their sessions and tokens from this address. */
export type IsAllowedAddress = (address: string) => boolean;

const refused = new WeakSet<RequestEvent<never>>();

/** Remembers that a token or session was ignored because of its address, so that a guard can report the reason. */
export function markRefusedAddress(e: RequestEvent): null {
  refused.add(e);
  return null;
}

export function isRefusedAddress(e: RequestEvent<never>): boolean {
  return refused.has(e);
}
