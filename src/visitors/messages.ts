/** Who looks: a person, a program that fetches pages, or one that fetches them for a language model. */
export type Kind = "human" | "bot" | "ai";
export const kinds = ["human", "bot", "ai"] as const satisfies readonly Kind[];

/** A page view as it leaves the request path: cut, and otherwise as it came. */
export interface PageView {
  /** When it was answered, in milliseconds since the epoch. */
  readonly time: number;
  readonly path: string;
  /** Where the visitor came from: the part of the address between the scheme and the path. */
  readonly referrer: string;
  /** The host that was asked for. */
  readonly host: string;
  readonly ip: string;
  readonly agent: string;
}

/** Page views as `view-codec.ts` writes them. */
export interface ViewBatch {
  readonly count: number;
  readonly bytes: ArrayBuffer;
}

export const filterNames = ["page", "referrer", "browser", "os", "device"] as const;
export type FilterName = (typeof filterNames)[number];

/** What somebody wants to know. */
export interface Question {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** How long the lists may be. */
  readonly top: number;
  /** Whether the series counts days also where hours would be few enough. */
  readonly byDay: boolean;
}

/** What is said to the service in the background thread. */
export type Message =
  | { readonly kind: "views"; readonly batch: ViewBatch }
  | { readonly kind: "summary"; readonly question: Question }
  | { readonly kind: "tidy" };

/** Sums over a window. Whoever is filtered by page is not known, so then there are views only. */
export interface Totals {
  views: number;
  visits?: VisitTotals;
}

export interface VisitTotals {
  /** Visitors of each day, added up: who came on two days counts twice. */
  visitorDays: number;
  /** Those of them who came back the same day. */
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
  /** The window, widened to whole hours. */
  readonly from: number;
  readonly to: number;
  readonly grain: "hour" | "day";
  /** Visitors of the last five minutes. */
  readonly live: number;
  readonly totals: Totals;
  /** The same over a window of the same length that ends where this one begins. */
  readonly previous: Totals;
  readonly series: readonly SeriesPoint[];
  readonly lists: Readonly<Record<ListName, readonly ListItem[]>>;
  readonly kinds: readonly { kind: Kind; views: number; visitorDays: number }[];
  readonly limits: Readonly<Limits>;
}

/** What was left out or thrown together since the start, in views, because something reached its bound. */
export interface Limits {
  /** Came after their day was closed. */
  late: number;
  /** Could not be written and were too many to keep. */
  lost: number;
  /** Counted as views, of visitors beyond the number that a day may have. */
  uncounted: number;
  /** Of pages and referrers beyond the number that a day may have. */
  otherPages: number;
  otherReferrers: number;
  /** Of combinations of page, referrer, browser, system and device beyond the number that a day may have. */
  otherDetails: number;
  /** By agents that came too many at once to look at each. */
  unparsedAgents: number;
}

/** One small piece of looking after what is stored, and what it did. */
export type TidyStep =
  | { readonly did: "closed"; readonly day: string }
  | { readonly did: "deleted"; readonly rows: number }
  | { readonly did: "nothing" };
