import type { AccessOrigin } from "../access-event.ts";

/** The superuser who made a change, and the origin of the request. */
export interface ChangedBy {
  readonly actor: string;
  readonly origin?: AccessOrigin | undefined;
}

/** A change to a superuser's account. */
export interface AccountChange {
  readonly kind: "superuser-add" | "superuser-remove" | "password";
  /** The changed account. */
  readonly email: string;
  /** The superuser who made the change. Absent for calls of `app.superusers`. */
  readonly actor?: string | undefined;
  /** The request that made the change. Absent for calls of `app.superusers`. */
  readonly origin?: AccessOrigin | undefined;
}

/** Receives each change after it is committed. It must not throw. */
export type OnAccountChange = (change: AccountChange) => void;
