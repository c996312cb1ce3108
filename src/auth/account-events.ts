import type { AccessEvent, AccessKind } from "./access-event.ts";
import type { AccountChange } from "./account-change.ts";

const kinds: Record<AccountChange["kind"], AccessKind> = {
  "superuser-add": "superuser-added",
  "superuser-remove": "superuser-removed",
  password: "password-changed",
};

/** The event for the access log that a change of an account is. */
export function toAccessEvent({ kind, email, actor, origin }: AccountChange): AccessEvent {
  return { kind: kinds[kind], account: email, actor, origin };
}
