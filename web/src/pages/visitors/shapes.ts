/** What `GET /_/_/data/visitors` answers. Of what cannot be known nothing is said, so much of it may be absent. */

export const kinds = ["human", "bot", "ai"] as const;
export type Kind = (typeof kinds)[number];

export interface Totals {
  readonly views: number;
  /** Of a window within one day only. */
  readonly visitors?: number;
  /** The visitors of each day, added up. */
  readonly visitor_days?: number;
  readonly new?: number;
  readonly returning?: number;
  readonly sessions?: number;
  readonly bounces?: number;
  readonly views_per_visitor?: number;
  readonly bounce_rate?: number;
}

/** A name of a list, with what is known of it. */
export interface Ranked {
  readonly name: string;
  readonly views?: number;
  readonly visitor_days?: number;
  readonly sessions?: number;
  readonly bounces?: number;
}

export interface Series {
  readonly grain: "hour" | "day";
  readonly points: readonly { readonly time: string; readonly views: number; readonly visitors?: number }[];
}

export type ListName = "pages" | "entry_pages" | "referrers" | "browsers" | "operating_systems" | "devices";

export type Visits = Readonly<Partial<Record<ListName, readonly Ranked[]>>> & {
  readonly enabled: true;
  /** What was counted: the window that was asked for, widened to whole hours. */
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
  readonly live: number;
  readonly totals: Totals;
  readonly previous: Totals;
  readonly series: Series;
  readonly kinds: readonly { readonly kind: Kind; readonly visitor_days: number; readonly views: number }[];
  readonly limits: Readonly<Record<string, number>>;
};

export type VisitsAnswer = Visits | { readonly enabled: false };

export const visitsPath = "/_/_/data/visitors";
