/** JSON of the visitor routes that the dashboard reads. Times are ISO 8601 texts. Unknown values are absent. */

export type Kind = "human" | "bot" | "ai";
export type FilterName = "page" | "referrer" | "browser" | "os" | "device";

export interface Totals {
  readonly views: number;
  /** Only for a window within one day. */
  readonly visitors?: number | undefined;
  /** The sum of the visitors of each day. */
  readonly visitor_days?: number | undefined;
  readonly new?: number | undefined;
  readonly returning?: number | undefined;
  readonly sessions?: number | undefined;
  readonly bounces?: number | undefined;
  readonly views_per_visitor?: number | undefined;
  readonly bounce_rate?: number | undefined;
}

/** One entry of a list. */
export interface Ranked {
  readonly name: string;
  readonly views?: number | undefined;
  readonly visitor_days?: number | undefined;
  readonly sessions?: number | undefined;
  readonly bounces?: number | undefined;
}

export interface SeriesPoint {
  readonly time: string;
  readonly views: number;
  readonly visitors?: number | undefined;
}

export interface Series {
  readonly grain: "hour" | "day";
  readonly points: readonly SeriesPoint[];
}

/** Views that were dropped or combined because a limit was reached. */
export interface Limits {
  readonly dropped_views: number;
  readonly late_views: number;
  readonly lost_views: number;
  readonly uncounted_views: number;
  readonly other_pages: number;
  readonly other_referrers: number;
  readonly other_details: number;
  readonly unparsed_agents: number;
}

export interface Lists {
  readonly pages: readonly Ranked[];
  /** Absent if visitors are unknown because of a filter. */
  readonly entry_pages?: readonly Ranked[] | undefined;
  readonly referrers: readonly Ranked[];
  readonly browsers: readonly Ranked[];
  readonly operating_systems: readonly Ranked[];
  readonly devices: readonly Ranked[];
}

export interface Visits extends Lists {
  readonly enabled: true;
  /** The counted window: the requested one, extended to whole hours. */
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Visitors of the last five minutes. */
  readonly live: number;
  readonly totals: Totals;
  readonly previous: Totals;
  readonly series: Series;
  readonly kinds: readonly { readonly kind: Kind; readonly visitor_days: number; readonly views: number }[];
  readonly limits: Limits;
}

export type VisitorStats = Visits | { readonly enabled: false };

/** The responses of GET routes, by path. */
export interface VisitorsRoutes {
  "/_/_/data/visitors": VisitorStats;
}
