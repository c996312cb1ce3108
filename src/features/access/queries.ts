import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { AccessKind } from "../../auth/index.ts";
import { chooseStep } from "../../lib/time/time-steps.ts";
import type { TimeWindow } from "../../lib/time/time-window.ts";
import type { Database } from "../../storage/index.ts";
import { type AccessRow, failureKinds } from "./events/merger.ts";
import type { AccessTables } from "./tables.ts";

/** Filters events. The first event of a row determines its time. */
export interface AccessFilter extends TimeWindow {
  /** Default: all. */
  readonly kinds?: readonly AccessKind[] | undefined;
  readonly account?: string | undefined;
  readonly address?: string | undefined;
  readonly instance?: string | undefined;
  /** Part of any text of the row, ignoring case. */
  readonly text?: string | undefined;
}

/** The last row of a page. The next page continues after it. */
export interface Cursor {
  readonly firstAt: number;
  readonly id: string;
}

export interface StoredRow extends AccessRow {
  readonly instance: string;
}

export interface AccessPage {
  readonly rows: readonly StoredRow[];
  /** Absent on the last page. */
  readonly cursor?: Cursor;
}

/** An address or an account, with the number of its events. */
export interface Ranked {
  readonly name: string;
  readonly count: number;
  readonly failures: number;
  readonly lastAt: number;
}

export interface AccessSummary {
  /** The window, extended to whole steps. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** Events of each kind by step, regardless of the kinds in the filter. Kinds without events are absent. */
  readonly series: Readonly<Partial<Record<AccessKind, readonly number[]>>>;
  /** Events that were only counted. */
  readonly overflow: number;
  /** Sorted by failures, descending. */
  readonly addresses: readonly Ranked[];
  readonly accounts: readonly Ranked[];
}

export interface AccessQueries {
  /** Newest first. */
  list(filter: AccessFilter, page: { limit: number; after?: Cursor | undefined }): Promise<AccessPage>;
  summarize(filter: AccessFilter, points: number): Promise<AccessSummary>;
}

const rankedNames = 20;

/** SQLite reads this many rows in the calling thread, which takes a few milliseconds. */
const mostReadHere = 5_000;

export function createQueries(database: () => Promise<Database>): AccessQueries {
  async function rank(
    db: Kysely<AccessTables>,
    filter: AccessFilter,
    column: "address" | "account",
  ): Promise<Ranked[]> {
    const isFailure = sql`kind in (${sql.join(failureKinds)})`;
    const rows = await select(db, filter)
      .where(column, "is not", null)
      .select(({ fn, ref }) => [
        ref(column).as("name"),
        fn.sum<number>("count").as("count"),
        sql<number>`sum(case when ${isFailure} then count else 0 end)`.as("failures"),
        fn.max("last_at").as("lastAt"),
      ])
      .groupBy(column)
      .orderBy("failures", "desc")
      .orderBy("count", "desc")
      .orderBy("name")
      .limit(rankedNames)
      .execute();
    return rows.map(({ name, ...row }) => ({ name: name!, ...row }));
  }

  function countBars(
    db: Kysely<AccessTables>,
    filter: AccessFilter,
    { from, stepMs }: Steps,
  ): Promise<Bar[]> {
    return select(db, filter)
      .select(({ fn }) => [
        "kind",
        "is_overflow",
        // Integer literals in the statement, so that both engines use integer division.
        sql<number>`(first_at - ${sql.lit(from)}) / ${sql.lit(stepMs)}`.as("bar"),
        fn.sum<number>("count").as("count"),
      ])
      .groupBy(["kind", "is_overflow", "bar"])
      .execute();
  }

  return {
    async list(filter, { limit, after }) {
      // In the window, the index begins at the cursor. It cannot begin at one of several conditions.
      const { from, to, ...others } = filter;
      const rest = { ...filter, to: Math.min(to, (after?.firstAt ?? to) + 1) };
      const isAnyRow = Object.values(others).every((value) => value === undefined);
      const db = isAnyRow
        ? (await database()).tables<AccessTables>()
        : await tablesFor(await database(), rest);
      const wanted = select(db, rest).$if(after !== undefined, (query) =>
        query.where((eb) => isAfter(eb, after!)),
      );
      const ordered = wanted.selectAll().orderBy("first_at", "desc").orderBy("id", "desc");
      const found = await ordered.limit(limit + 1).execute();
      const rows = found.slice(0, limit).map(toRow);
      const last = rows.at(-1);
      return {
        rows,
        ...(found.length > limit && last && { cursor: { firstAt: last.firstAt, id: last.id } }),
      };
    },

    async summarize(filter, points) {
      const steps = toSteps(filter, points);
      const { kinds: _, ...anyKind } = filter;
      const db = await tablesFor(await database(), filter);
      const bars = await countBars(db, anyKind, steps);
      const overflow = bars.filter(({ is_overflow }) => is_overflow === 1);
      return {
        ...steps,
        series: toSeries(bars, steps),
        overflow: overflow.reduce((sum, { count }) => sum + count, 0),
        addresses: await rank(db, filter, "address"),
        accounts: await rank(db, filter, "account"),
      };
    },
  };
}

function select(db: Kysely<AccessTables>, filter: AccessFilter) {
  return db.selectFrom("annex_access").where((eb) => matches(eb, filter));
}

/** For queries that may read all rows of the window, to find a few or to add them up. */
async function tablesFor(database: Database, { from, to }: TimeWindow): Promise<Kysely<AccessTables>> {
  const tables = database.tables<AccessTables>();
  if (database.engine !== "sqlite") return tables;
  const oneBeyond = tables
    .selectFrom("annex_access")
    .select("first_at")
    .where("first_at", ">=", from)
    .where("first_at", "<", to)
    .orderBy("first_at")
    .offset(mostReadHere)
    .limit(1);
  return (await oneBeyond.executeTakeFirst()) === undefined ? tables : database.reader();
}

type Builder = ExpressionBuilder<AccessTables, "annex_access">;

function matches(eb: Builder, filter: AccessFilter): Expression<SqlBool> {
  const { from, to, kinds, text } = filter;
  const exact = (["account", "address", "instance"] as const).flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [eb(column, "=", value)];
  });
  return eb.and([
    eb("first_at", ">=", from),
    eb("first_at", "<", to),
    ...(kinds === undefined ? [] : [eb("kind", "in", kinds)]),
    ...exact,
    ...(text === undefined ? [] : [contains(eb, text)]),
  ]);
}

const searched = ["account", "actor", "address", "agent", "trace_id", "detail", "instance"] as const;

/** Ignores the case of ASCII letters only, like both engines. */
function contains(eb: Builder, text: string): Expression<SqlBool> {
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
  return eb.or(searched.map((column) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`));
}

function isAfter(eb: Builder, { firstAt, id }: Cursor): Expression<SqlBool> {
  const isEarlier = eb("first_at", "<", firstAt);
  return eb.or([isEarlier, eb.and([eb("first_at", "=", firstAt), eb("id", "<", id)])]);
}

type Steps = Pick<AccessSummary, "from" | "to" | "stepMs">;

function toSteps({ from, to }: TimeWindow, points: number): Steps {
  const stepMs = chooseStep((to - from) / points);
  return { from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, stepMs };
}

interface Bar {
  readonly kind: string;
  readonly is_overflow: number;
  readonly bar: number;
  readonly count: number;
}

function toSeries(bars: readonly Bar[], { from, to, stepMs }: Steps): AccessSummary["series"] {
  const series: Partial<Record<AccessKind, number[]>> = {};
  for (const { kind, bar, count } of bars) {
    series[kind as AccessKind] ??= new Array<number>((to - from) / stepMs).fill(0);
    series[kind as AccessKind]![bar]! += count;
  }
  return series;
}

function toRow(row: AccessTables["annex_access"]): StoredRow {
  const { first_at, last_at, trace_id, is_overflow, kind, ...rest } = row;
  const times = { firstAt: first_at, lastAt: last_at };
  return { ...rest, ...times, kind: kind as AccessKind, traceId: trace_id, isOverflow: is_overflow === 1 };
}
