import { forDays, historyFile, readMigrations, type Store } from "../../storage/index.ts";
import type { Kind } from "./messages.ts";

/** Table types for queries. Days and hours are counted from the epoch, in UTC. */
export interface VisitorTables {
  /** Salts that anonymize visitors: one per day, deleted after the day. */
  annex_visitor_salts: { day: number; salt: Uint8Array };
  /** Visitors of days that are not closed yet. */
  annex_visitors: VisitorRow;
  /** Views of days that are not closed yet. */
  annex_visitor_views: ViewRow;
  /** Closed days, each packed into one value. */
  annex_visitor_days: { day: number; bytes: number; counts: Uint8Array };
}

export interface VisitorRow {
  day: number;
  /** A hash that cannot be attributed once the salt of its day is deleted. */
  visitor: string;
  kind: Kind;
  /** For bots, the name of the bot. */
  browser: string;
  os: string;
  device: string;
  /** Referrer of the first view; empty if unknown. */
  referrer: string;
  /** Page of the first view. */
  entry: string;
  /** Hours of the day with a view, as bits. */
  hours: number;
  sessions: number;
  /** Sessions with one view. */
  bounces: number;
  /** Sessions in the format of `formatSpans`. */
  spans: string;
  /** Milliseconds since the epoch. */
  first_seen: number;
  last_seen: number;
}

export interface ViewRow extends ViewDetail {
  /** Short hash of all columns except the hour and the views; unique within an hour. */
  key: string;
  views: number;
}

export interface ViewDetail {
  hour: number;
  kind: Kind;
  page: string;
  /** Referrer of the visitor's first view that day. */
  referrer: string;
  browser: string;
  os: string;
  device: string;
}

export const visitorMigrations = readMigrations("visitors", new URL("./migrations/", import.meta.url));

/** How long closed days are stored. */
export const retentionDays = 365;

export const visitorStore: Store = {
  name: "visitors",
  contents: ["visitors"],
  file: historyFile,
  tables: ["annex_visitor*"],
  migrations: visitorMigrations,
  isLarge: true,
  retention: [{ words: forDays(retentionDays) }],
};
