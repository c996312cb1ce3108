/** Response of `GET /_/_/data/visitors`. Unknown values are absent. */

export const kinds = ["human", "bot", "ai"] as const;
export type Kind = (typeof kinds)[number];

export interface Totals {
  readonly views: number;
  /** Only for a window within one day. */
  readonly visitors?: number;
  /** The sum of the visitors of each day. */
  readonly visitor_days?: number;
  readonly new?: number;
  readonly returning?: number;
  readonly sessions?: number;
  readonly bounces?: number;
  readonly views_per_visitor?: number;
  readonly bounce_rate?: number;
}

/** One entry of a list. */
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
  /** The counted window: the requested one, extended to whole hours. */
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
