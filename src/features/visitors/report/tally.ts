import { dayMs, hourMs } from "../../../lib/time/units.ts";
import type { Column, Columns, DayCounts } from "../days/day-counts.ts";
import { kinds, type Question, type Summary, type Totals } from "../messages.ts";
import { createLists, direct } from "./lists.ts";
import { createSeries } from "./series.ts";

/** Sums the result of a query, day by day. */
export interface Tally {
  add(day: number, counts: DayCounts): void;
  take(): Omit<Summary, "live" | "limits">;
}

/** Longest period for which a series has hourly points. */
const longestByHour = 3 * dayMs;

/**
 * The period must start and end at whole hours. The loops process every row of half a year, so they visit each row only
 * once.
 */
export function createTally(question: Question): Tally {
  const { from, to, top } = question;
  const grain = question.byDay || to - from > longestByHour ? "day" : "hour";
  // With a page filter, only views are known.
  const knowsVisits = question.filters.page === undefined;
  const lists = createLists({ knowsVisits });
  const series = createSeries({ from, to, grain, knowsVisits });
  const totals = createTotals(knowsVisits);
  const previous = createTotals(knowsVisits);
  const byKind = kinds.map((kind) => ({ kind, views: 0, visitorDays: 0 }));
  const wantedKind = kinds.indexOf(question.kind);

  function addVisits(day: number, counts: DayCounts, wanted: number): void {
    const { names, visits } = counts;
    const { hours, kind, browser, os, device, referrer, entry, visitors, sessions, bounces } = visits;
    const sums = () => new Float64Array(names.length);
    const [ofBrowser, ofOs, ofDevice, ofReferrer] = [sums(), sums(), sums(), sums()];
    const [ofEntry, sessionsOfEntry, bouncesOfEntry] = [sums(), sums(), sums()];
    const byHour = new Float64Array(24);
    const fits = createTest(question, counts, visits);
    for (let row = 0; row < hours.length; row++) {
      const within = hours[row]! & wanted;
      if (within === 0) continue;
      const count = visitors[row]!;
      byKind[kind[row]!]!.visitorDays += count;
      if (kind[row] !== wantedKind || !knowsVisits || !(fits?.(row) ?? true)) continue;
      addVisitors(totals, visits, row);
      ofBrowser[browser[row]!]! += count;
      ofOs[os[row]!]! += count;
      ofDevice[device[row]!]! += count;
      ofReferrer[referrer[row]!]! += count;
      ofEntry[entry[row]!]! += count;
      sessionsOfEntry[entry[row]!]! += sessions[row]!;
      bouncesOfEntry[entry[row]!]! += bounces[row]!;
      if (grain === "hour") addToHours(byHour, within, count);
      else byHour[0]! += count;
    }
    if (!knowsVisits) return;
    lists.add("browsers", "visitorDays", names, ofBrowser);
    lists.add("operatingSystems", "visitorDays", names, ofOs);
    lists.add("devices", "visitorDays", names, ofDevice);
    lists.add("referrers", "visitorDays", names, ofReferrer);
    lists.add("entryPages", "visitorDays", names, ofEntry);
    lists.add("entryPages", "sessions", names, sessionsOfEntry);
    lists.add("entryPages", "bounces", names, bouncesOfEntry);
    if (grain === "hour") series.addHours("visitors", day, byHour);
    else series.addVisitors(day, byHour[0]!);
  }

  function addViews(day: number, counts: DayCounts, wanted: number): void {
    const { names, views: table } = counts;
    const { hour, kind, page, referrer, browser, os, device, views } = table;
    const sums = () => new Float64Array(names.length);
    const [ofPage, ofReferrer, ofBrowser, ofOs, ofDevice] = [sums(), sums(), sums(), sums(), sums()];
    const byHour = new Float64Array(24);
    const fits = createTest(question, counts, table);
    for (let row = 0; row < hour.length; row++) {
      if (((wanted >>> hour[row]!) & 1) === 0) continue;
      const count = views[row]!;
      byKind[kind[row]!]!.views += count;
      if (kind[row] !== wantedKind || !(fits?.(row) ?? true)) continue;
      byHour[hour[row]!]! += count;
      ofPage[page[row]!]! += count;
      ofReferrer[referrer[row]!]! += count;
      ofBrowser[browser[row]!]! += count;
      ofOs[os[row]!]! += count;
      ofDevice[device[row]!]! += count;
    }
    totals.views += byHour.reduce((sum, count) => sum + count, 0);
    lists.add("pages", "views", names, ofPage);
    lists.add("referrers", "views", names, ofReferrer);
    lists.add("browsers", "views", names, ofBrowser);
    lists.add("operatingSystems", "views", names, ofOs);
    lists.add("devices", "views", names, ofDevice);
    series.addHours("views", day, byHour);
  }

  return {
    add(day, counts) {
      const hours = hoursWithin(day, from, to);
      if (hours !== 0) {
        addVisits(day, counts, hours);
        addViews(day, counts, hours);
      }
      const before = hoursWithin(day, from - (to - from), from);
      if (before !== 0) addTotals(previous, { question, counts, wanted: before });
    },
    take: () => ({
      from,
      to,
      grain,
      totals,
      previous,
      series: series.points,
      lists: lists.take(top),
      kinds: byKind,
    }),
  };
}

interface Counted {
  readonly question: Question;
  readonly counts: DayCounts;
  /** The hours of the day, as bits. */
  readonly wanted: number;
}

/** Adds the hours of a day to the totals alone. */
function addTotals(totals: Totals, { question, counts, wanted }: Counted): void {
  const wantedKind = kinds.indexOf(question.kind);
  const { visits, views } = counts;
  const isSeen = createTest(question, counts, views);
  for (let row = 0; row < views.hour.length; row++) {
    if (views.kind[row] !== wantedKind || ((wanted >>> views.hour[row]!) & 1) === 0) continue;
    if (isSeen?.(row) ?? true) totals.views += views.views[row]!;
  }
  if (!totals.visits) return;
  const fits = createTest(question, counts, visits);
  for (let row = 0; row < visits.hours.length; row++) {
    if (visits.kind[row] !== wantedKind || (visits.hours[row]! & wanted) === 0) continue;
    if (fits?.(row) ?? true) addVisitors(totals, visits, row);
  }
}

/** The hours of a day within the period, as bits. */
function hoursWithin(day: number, from: number, to: number): number {
  let hours = 0;
  for (let hour = 0; hour < 24; hour++) {
    const time = day * dayMs + hour * hourMs;
    if (time >= from && time < to) hours |= 1 << hour;
  }
  return hours;
}

/** A visitor who was active in two hours counts in each of them. */
function addToHours(sums: Float64Array, hours: number, count: number): void {
  for (let hour = 0; hour < 24; hour++) if (hours & (1 << hour)) sums[hour]! += count;
}

function createTotals(knowsVisits: boolean): Totals {
  const visits = { visitorDays: 0, returned: 0, sessions: 0, bounces: 0 };
  return { views: 0, ...(knowsVisits && { visits }) };
}

function addVisitors({ visits: sums }: Totals, visits: DayCounts["visits"], row: number): void {
  sums!.visitorDays += visits.visitors[row]!;
  sums!.returned += visits.returned[row]!;
  sums!.sessions += visits.sessions[row]!;
  sums!.bounces += visits.bounces[row]!;
}

/** Returns a test for the query's filters; undefined if there are none. */
function createTest<Name extends string>(
  { filters }: Question,
  counts: DayCounts,
  columns: Columns<Name>,
): ((row: number) => boolean) | undefined {
  const wanted = Object.entries(filters);
  if (wanted.length === 0) return undefined;
  const tested: Column[] = wanted.map(([name]) => columns[name as Name]);
  // −1, which no row contains, if the name does not occur on that day.
  const ids = wanted.map(([name, value]) =>
    counts.names.indexOf(name === "referrer" && value === direct ? "" : value),
  );
  return (row) => {
    for (let index = 0; index < ids.length; index++) if (tested[index]![row] !== ids[index]) return false;
    return true;
  };
}
