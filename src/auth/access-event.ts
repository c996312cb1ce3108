/** The kinds of access events. */
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

/** The origin of a request, as far as it is known. Calls of `app.superusers` have no origin. */
export interface AccessOrigin {
  readonly address: string;
  readonly agent: string | undefined;
  readonly traceId: string;
}

/** An event in the access log. */
export interface AccessEvent {
  readonly kind: AccessKind;
  /** The affected account, or the attempted name. Absent for an unauthenticated caller. */
  readonly account?: string | undefined;
  /** The superuser who caused the event. Absent without a sign-in, and for calls of `app.superusers`. */
  readonly actor?: string | undefined;
  /** Absent for calls of `app.superusers`. */
  readonly origin?: AccessOrigin | undefined;
  /** The method of the sign-in, the reason of a refusal or the refused route, in at most one short sentence. */
  readonly detail?: string | undefined;
}

/** Receives every event as it happens. It must not throw. */
export type OnAccess = (event: AccessEvent) => void;
