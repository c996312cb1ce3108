import type { Cell } from "../../lib/text/csv.ts";
import { dayOf, showDay } from "./days.ts";
import type { Limits, ListItem, ListName, Question, SeriesPoint, Summary, Totals } from "./messages.ts";
import type * as wire from "./wire.ts";

/** List names as defined in the contract. */
export const fileNames = [
  "pages",
  "entry_pages",
  "referrers",
  "browsers",
  "operating_systems",
  "devices",
  "days",
] as const;
export type FileName = (typeof fileNames)[number];

const lists: Record<Exclude<FileName, "days">, ListName> = {
  pages: "pages",
  entry_pages: "entryPages",
  referrers: "referrers",
  browsers: "browsers",
  operating_systems: "operatingSystems",
  devices: "devices",
};

/** Converts a summary to the response format of the contract. JSON omits fields that are undefined. */
export function toResponse({ kind, filters }: Question, summary: Summary, dropped: number): wire.Visits {
  const { from, to, grain, live, totals, previous, series } = summary;
  const length = to - from;
  const list = (name: ListName) => summary.lists[name].map(toItem);
  return {
    enabled: true,
    from: toTime(from),
    to: toTime(to),
    kind,
    filters,
    live,
    totals: toTotals(totals, from, to),
    previous: toTotals(previous, from - length, from),
    series: { grain, points: series.map(toPoint) },
    pages: list("pages"),
    // Without visitors, entry pages are unknown.
    entry_pages: totals.visits && list("entryPages"),
    referrers: list("referrers"),
    browsers: list("browsers"),
    operating_systems: list("operatingSystems"),
    devices: list("devices"),
    kinds: summary.kinds.map(({ kind, views, visitorDays }) => ({ kind, visitor_days: visitorDays, views })),
    limits: toLimits(summary.limits, dropped),
  };
}

function toTotals({ views, visits }: Totals, from: number, to: number): wire.Totals {
  if (visits === undefined) return { views };
  const { visitorDays, returned, sessions, bounces } = visits;
  // Visitors are not recognized across days, so this is the number of people only within one day.
  const isOneDay = to > from && dayOf(from) === dayOf(to - 1);
  return {
    visitors: isOneDay ? visitorDays : undefined,
    visitor_days: visitorDays,
    new: visitorDays - returned,
    returning: returned,
    sessions,
    bounces,
    views,
    views_per_visitor: visitorDays > 0 ? round(views / visitorDays) : undefined,
    bounce_rate: sessions > 0 ? round(bounces / sessions) : undefined,
  };
}

function toPoint({ time, views, visitors }: SeriesPoint): wire.SeriesPoint {
  return { time: toTime(time), views, visitors };
}

function toItem({ name, views, visitorDays, sessions, bounces }: ListItem): wire.Ranked {
  return { name, visitor_days: visitorDays, sessions, bounces, views };
}

function toLimits(limits: Limits, dropped: number): wire.Limits {
  return {
    dropped_views: dropped,
    late_views: limits.late,
    lost_views: limits.lost,
    uncounted_views: limits.uncounted,
    other_pages: limits.otherPages,
    other_referrers: limits.otherReferrers,
    other_details: limits.otherDetails,
    unparsed_agents: limits.unparsedAgents,
  };
}

/** Columns of an exported list, present even if the list is empty. */
const columns: Record<FileName, readonly string[]> = {
  pages: ["name", "views"],
  entry_pages: ["name", "visitor_days", "sessions", "bounces"],
  referrers: ["name", "visitor_days", "views"],
  browsers: ["name", "visitor_days", "views"],
  operating_systems: ["name", "visitor_days", "views"],
  devices: ["name", "visitor_days", "views"],
  days: ["day", "visitors", "views"],
};

/** Converts a list to a table. */
export function toTable(file: FileName, summary: Summary): { header: readonly string[]; rows: Cell[][] } {
  const header = columns[file];
  const items: Record<string, Cell>[] =
    file === "days"
      ? summary.series.map(toDay)
      : summary.lists[lists[file]].map((item) => ({ ...toItem(item) }));
  return { header, rows: items.map((item) => header.map((column) => item[column])) };
}

function toDay({ time, views, visitors }: SeriesPoint) {
  return { day: showDay(dayOf(time)), views, visitors };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function toTime(time: number): string {
  return new Date(time).toISOString();
}
