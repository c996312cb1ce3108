/** JSON of the access log routes that the dashboard reads. Times are milliseconds since the epoch. */

export type AccessKind =
  | "sign-in"
  | "sign-in-failed"
  | "lock-out"
  | "sign-out"
  | "session-revoked"
  | "superuser-added"
  | "superuser-removed"
  | "password-changed"
  | "access-refused"
  | "setup-link-used";

/** One or more merged events. */
export interface AccessEvent {
  readonly id: string;
  readonly time: number;
  /** When the last of the merged events happened. */
  readonly last_time: number;
  readonly kind: AccessKind;
  readonly account: string | null;
  readonly actor: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly trace_id: string | null;
  readonly detail: string | null;
  readonly instance: string;
  readonly count: number;
  /** Whether the row only counts events beyond the hourly limit. */
  readonly overflow: boolean;
}

export interface AccessPage {
  readonly events: readonly AccessEvent[];
  /** Absent on the last page. */
  readonly cursor?: string | undefined;
}

/** An address or an account, with the number of its events. */
export interface RankedName {
  readonly name: string;
  readonly count: number;
  readonly failures: number;
  readonly last_time: number;
}

export interface AccessSummary {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
  readonly kinds: Readonly<Record<AccessKind, number>>;
  /** Events per step; kinds without events are absent. */
  readonly series: Readonly<Partial<Record<AccessKind, readonly number[]>>>;
  readonly overflow: number;
  readonly addresses: readonly RankedName[];
  readonly accounts: readonly RankedName[];
  readonly retention_days: number;
}

/** The responses of GET routes, by path. */
export interface AccessRoutes {
  "/_/_/data/access": AccessPage;
  "/_/_/data/access/summary": AccessSummary;
}
