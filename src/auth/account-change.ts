/** Something that was done to a superuser's account. */
export interface AccountChange {
  readonly kind: "superuser-add" | "superuser-remove" | "password";
  /** Whose account it is. */
  readonly email: string;
  /** Who did it; absent when a program did. */
  readonly actor?: string | undefined;
}

/** Told of a change when it is made for good. It must not throw. */
export type OnAccountChange = (change: AccountChange) => void;
