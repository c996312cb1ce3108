import crypto from "node:crypto";
import type { Database } from "../../../storage/index.ts";
import type { Kind, Limits } from "../messages.ts";
import { other } from "../names.ts";
import type { ViewDetail, ViewRow, VisitorTables } from "../tables.ts";

/** Limits per day and kind, so that a flood of one kind does not use up the capacity of the others. */
export const dayBounds = {
  visitors: { human: 150_000, bot: 30_000, ai: 20_000 },
  pages: { human: 2_000, bot: 1_000, ai: 1_000 },
  referrers: { human: 1_000, bot: 200, ai: 200 },
  /** Rows with all details, and then rows with the page only. */
  details: 100_000,
  roughDetails: 50_000,
} as const;

export type Bounds = {
  readonly [Name in "visitors" | "pages" | "referrers"]: Readonly<Record<Kind, number>>;
} & { readonly details: number; readonly roughDetails: number };

/** The current contents of a day, as known to this instance. */
export interface DayBounds {
  /** Returns the name if it is known or the limit has not been reached, otherwise `other`. */
  page(kind: Kind, name: string): string;
  referrer(kind: Kind, name: string): string;
  /** Converts a view to a row, without details that exceed the limits. */
  rowOf(view: ViewDetail): ViewRow;
  /** Number of further visitors of the kind that can be stored. */
  room(kind: Kind): number;
  admitted(kind: Kind): void;
}

/** Starts with the stored contents of the day, from all instances. */
export async function readDayBounds(
  database: Database,
  day: number,
  limits: Limits,
  bounds: Bounds,
): Promise<DayBounds> {
  const stored = await readStored(database, day);
  const pages = createNames(stored.pages, bounds.pages);
  const referrers = createNames(stored.referrers, bounds.referrers);
  const visitors: Record<Kind, number> = { human: 0, bot: 0, ai: 0 };
  for (const { kind, count } of stored.visitors) visitors[kind] = Number(count);
  const known = new Set<string>();
  // Rows stored earlier are not known individually; most of them will occur again.
  const rows = () => Math.max(stored.details, known.size);

  function isRoom({ hour, key }: ViewRow, most: number): boolean {
    const name = `${hour} ${key}`;
    if (!known.has(name) && rows() >= most) return false;
    known.add(name);
    return true;
  }

  return {
    page(kind, name) {
      if (pages(kind, name)) return name;
      limits.otherPages++;
      return other;
    },
    referrer(kind, name) {
      if (name === "" || referrers(kind, name)) return name;
      limits.otherReferrers++;
      return other;
    },
    rowOf(view) {
      const row = toRow(view);
      if (isRoom(row, bounds.details)) return row;
      limits.otherDetails++;
      const rough = toRow({ ...view, referrer: other, browser: other, os: other, device: other });
      return isRoom(rough, bounds.details + bounds.roughDetails) ? rough : toRow({ ...rough, page: other });
    },
    room: (kind) => Math.max(0, bounds.visitors[kind] - visitors[kind]),
    admitted(kind) {
      visitors[kind]++;
    },
  };
}

function toRow({ hour, kind, page, referrer, browser, os, device }: ViewDetail): ViewRow {
  const words = [kind, page, referrer, browser, os, device];
  const key = crypto.hash("sha256", words.join("\n"), "base64url").slice(0, 12);
  return { hour, key, kind, page, referrer, browser, os, device, views: 1 };
}

/** Returns whether a name is known or can still be added. */
function createNames(
  stored: readonly { kind: Kind; name: string }[],
  most: Readonly<Record<Kind, number>>,
): (kind: Kind, name: string) => boolean {
  const names: Record<Kind, Set<string>> = { human: new Set(), bot: new Set(), ai: new Set() };
  for (const { kind, name } of stored) names[kind].add(name);
  return (kind, name) => {
    const known = names[kind];
    if (known.has(name)) return true;
    if (known.size >= most[kind]) return false;
    known.add(name);
    return true;
  };
}

async function readStored(database: Database, day: number) {
  const tables = database.tables<VisitorTables>();
  const ofDay = tables
    .selectFrom("annex_visitor_views")
    .where("hour", ">=", day * 24)
    .where("hour", "<", day * 24 + 24);
  const pages = await ofDay.select(["kind", "page as name"]).distinct().limit(10_000).execute();
  const referrers = await ofDay
    .select(["kind", "referrer as name"])
    .where("referrer", "!=", "")
    .distinct()
    .limit(10_000)
    .execute();
  const { count } = await ofDay.select(({ fn }) => fn.countAll().as("count")).executeTakeFirstOrThrow();
  const visitors = await tables
    .selectFrom("annex_visitors")
    .select(["kind", ({ fn }) => fn.countAll().as("count")])
    .where("day", "=", day)
    .groupBy("kind")
    .execute();
  return { pages, referrers, details: Number(count), visitors };
}
