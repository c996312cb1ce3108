/** What can happen at the door to the administration. */
export const accessKinds = [
  "sign-in",
  "sign-in-failed",
  "lock-out",
  "sign-out",
  "session-revoked",
  "superuser-added",
  "superuser-removed",
  "password-changed",
  "access-refused",
  "setup-link-used",
] as const;

export type AccessKind = (typeof accessKinds)[number];

/** Where a request came from, as far as it is known. A program that calls `app.superusers` has no origin. */
export interface AccessOrigin {
  readonly address: string;
  readonly agent: string | undefined;
  readonly traceId: string;
}

/** One event for the access log. */
export interface AccessEvent {
  readonly kind: AccessKind;
  /** The account concerned, or the name that was tried. Absent for a caller without an identity. */
  readonly account?: string | undefined;
  /** The superuser who did it; absent when nobody was signed in or a program did it. */
  readonly actor?: string | undefined;
  /** Absent when a program did it. */
  readonly origin?: AccessOrigin | undefined;
  /** For people: how the sign-in was made, why it was refused, or which route was. At most one short sentence. */
  readonly detail?: string | undefined;
}

/** Receives every event as it happens. It must not throw. */
export type OnAccess = (event: AccessEvent) => void;
