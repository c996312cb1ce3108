import type { StoreState } from "../../feature/index.ts";

/** Kind of visitor: a person, a bot, or a bot that fetches pages for language models. */
export type Kind = "human" | "bot" | "ai";
export const kinds = ["human", "bot", "ai"] as const satisfies readonly Kind[];

/** A page view as recorded on the request path: truncated but otherwise unchanged. */
export interface PageView {
  /** Response time in milliseconds since the epoch. */
  readonly time: number;
  readonly path: string;
  /** Authority (host and port) of the referrer. */
  readonly referrer: string;
  /** The requested host. */
  readonly host: string;
  readonly ip: string;
  readonly agent: string;
}

/** Page views encoded by `view-codec.ts`. */
export interface ViewBatch {
  readonly count: number;
  readonly bytes: ArrayBuffer;
}

export type FilterName = "page" | "referrer" | "browser" | "os" | "device";

/** A query for visitor statistics. */
export interface Question {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Maximum length of the lists. */
  readonly top: number;
  /** Use days in the series even if the period is short enough for hours. */
  readonly byDay: boolean;
}

/** The calls of the service in the background thread. */
export interface VisitorCalls {
  /** Counts page views. */
  add(batch: ViewBatch): void;
  summarize(question: Question): Summary;
  /** Runs one maintenance step. */
  tidy(): TidyStep;
  /** What the limits do to past days. */
  limitState(): LimitState;
}

export interface VisitorContract {
  readonly data: undefined;
  readonly calls: VisitorCalls;
}

/** Sums over a period. With a page filter, visitors are unknown, so only views are present. */
export interface Totals {
  views: number;
  visits?: VisitTotals;
}

export interface VisitTotals {
  /** Sum of daily visitors: a visitor on two days counts twice. */
  visitorDays: number;
  /** Visitors who returned on the same day. */
  returned: number;
  sessions: number;
  bounces: number;
}

export interface ListItem {
  readonly name: string;
  views?: number;
  visitorDays?: number;
  sessions?: number;
  bounces?: number;
}

export const listNames = [
  "pages",
  "entryPages",
  "referrers",
  "browsers",
  "operatingSystems",
  "devices",
] as const;
export type ListName = (typeof listNames)[number];

export interface SeriesPoint {
  readonly time: number;
  views: number;
  visitors?: number;
}

export interface Summary {
  /** The period, extended to whole hours. */
  readonly from: number;
  readonly to: number;
  readonly grain: "hour" | "day";
  /** Visitors of the last five minutes. */
  readonly live: number;
  readonly totals: Totals;
  /** Totals of the preceding period of the same length. */
  readonly previous: Totals;
  readonly series: readonly SeriesPoint[];
  readonly lists: Readonly<Record<ListName, readonly ListItem[]>>;
  readonly kinds: readonly { kind: Kind; views: number; visitorDays: number }[];
  readonly limits: Readonly<Limits>;
}

/** Number of views since the start that were dropped or combined because a limit was reached. */
export interface Limits {
  /** Arrived after their day was closed. */
  late: number;
  /** Could not be stored and exceeded the queue limit. */
  lost: number;
  /** Counted as views, but their visitors exceeded the limit per day. */
  uncounted: number;
  /** Views of pages or from referrers that exceeded the limit per day. */
  otherPages: number;
  otherReferrers: number;
  /** Views with combinations of page, referrer, browser, system and device that exceeded the limit per day. */
  otherDetails: number;
  /** Views with user agents that exceeded the parsing limit. */
  unparsedAgents: number;
}

export type LimitState = Pick<StoreState, "removing" | "early">;

/** Result of one maintenance step. */
export type TidyStep =
  | { readonly did: "closed"; readonly day: string }
  | { readonly did: "deleted"; readonly rows: number }
  | { readonly did: "nothing" };
