import type { AccessOrigin } from "./access-event.ts";

/** Who made a change through a request, and from where. */
export interface ChangedBy {
  readonly actor: string;
  readonly origin?: AccessOrigin | undefined;
}

/** Something that was done to a superuser's account. */
export interface AccountChange {
  readonly kind: "superuser-add" | "superuser-remove" | "password";
  /** The account that was changed. */
  readonly email: string;
  /** The superuser who made the change; absent when a program did. */
  readonly actor?: string | undefined;
  /** The request that made the change; absent when a program did. */
  readonly origin?: AccessOrigin | undefined;
}

/** Receives each change after it is committed. It must not throw. */
export type OnAccountChange = (change: AccountChange) => void;
