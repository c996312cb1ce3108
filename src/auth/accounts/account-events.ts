import type { AccessEvent, AccessKind } from "../access-event.ts";
import type { AccountChange } from "./account-change.ts";

const kinds: Record<AccountChange["kind"], AccessKind> = {
  "superuser-add": "superuser-added",
  "superuser-remove": "superuser-removed",
  password: "password-changed",
};

/** Converts an account change to an access event. */
export function toAccessEvent({ kind, email, actor, origin }: AccountChange): AccessEvent {
  return { kind: kinds[kind], account: email, actor, origin };
}
