import type { MigrationSet } from "../storage/index.ts";
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

export const visitorMigrations: MigrationSet = {
  feature: "visitors",
  migrations: {
    "001-visitors": {
      async up({ schema }, { text, integer, blob }) {
        await schema
          .createTable("annex_visitor_salts")
          .addColumn("day", integer, (column) => column.primaryKey())
          .addColumn("salt", blob, (column) => column.notNull())
          .execute();
        await schema
          .createTable("annex_visitors")
          .addColumn("day", integer, (column) => column.notNull())
          .addColumn("visitor", text, (column) => column.notNull())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("browser", text, (column) => column.notNull())
          .addColumn("os", text, (column) => column.notNull())
          .addColumn("device", text, (column) => column.notNull())
          .addColumn("referrer", text, (column) => column.notNull())
          .addColumn("entry", text, (column) => column.notNull())
          .addColumn("hours", integer, (column) => column.notNull())
          .addColumn("sessions", integer, (column) => column.notNull())
          .addColumn("bounces", integer, (column) => column.notNull())
          .addColumn("spans", text, (column) => column.notNull())
          .addColumn("first_seen", integer, (column) => column.notNull())
          .addColumn("last_seen", integer, (column) => column.notNull())
          .addPrimaryKeyConstraint("annex_visitors_key", ["day", "visitor"])
          .execute();
        await schema
          .createTable("annex_visitor_views")
          .addColumn("hour", integer, (column) => column.notNull())
          .addColumn("key", text, (column) => column.notNull())
          .addColumn("kind", text, (column) => column.notNull())
          .addColumn("page", text, (column) => column.notNull())
          .addColumn("referrer", text, (column) => column.notNull())
          .addColumn("browser", text, (column) => column.notNull())
          .addColumn("os", text, (column) => column.notNull())
          .addColumn("device", text, (column) => column.notNull())
          .addColumn("views", integer, (column) => column.notNull())
          .addPrimaryKeyConstraint("annex_visitor_views_key", ["hour", "key"])
          .execute();
        await schema
          .createTable("annex_visitor_days")
          .addColumn("day", integer, (column) => column.primaryKey())
          .addColumn("bytes", integer, (column) => column.notNull())
          .addColumn("counts", blob, (column) => column.notNull())
          .execute();
      },
    },
  },
};
