/** Responses of the access log routes. Times are milliseconds since the epoch. */

export const accessPath = "/_/_/data/access";

export const kinds = [
  "sign-in",
  "sign-in-failed",
  "lock-out",
  "access-refused",
  "sign-out",
  "session-revoked",
  "superuser-added",
  "superuser-removed",
  "password-changed",
  "setup-link-used",
] as const;

export type Kind = (typeof kinds)[number];

export const failureKinds = ["sign-in-failed", "lock-out", "access-refused"] as const satisfies Kind[];

export interface AccessEvent {
  readonly id: string;
  readonly time: number;
  /** When the last of the merged events happened. */
  readonly last_time: number;
  readonly kind: Kind;
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
  readonly cursor?: string;
}

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
  readonly kinds: Readonly<Record<Kind, number>>;
  readonly series: Readonly<Partial<Record<Kind, readonly number[]>>>;
  readonly overflow: number;
  readonly addresses: readonly RankedName[];
  readonly accounts: readonly RankedName[];
  readonly retention_days: number;
}
