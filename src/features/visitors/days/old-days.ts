import { describeFit } from "../../../lib/text/describe-fit.ts";
import type { Removal } from "../../../lib/time/removal.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import { dayOf } from "../days.ts";
import type { LimitState } from "../messages.ts";
import { retentionDays, type VisitorTables } from "../tables.ts";

/** Maximum size of all closed days. A year with a few thousand visitors per day takes a tenth of it. */
const mostBytes = 256 * 2 ** 20;
/** SQLite reads each page that it deletes. This takes a few milliseconds. */
const bytesPerBatch = 4 * 2 ** 20;
const daysPerBatch = 10;
/** A deletion without a step for so long was interrupted. */
const endsAfterMs = minuteMs;

interface Deletion {
  /** The first day that is not deleted. */
  readonly first: number;
  readonly total: number;
  done: number;
  /** Time of the last step. */
  at: number;
}

/** Deletes closed days that are too old or too large, the oldest first. The days are found once, and deleted in steps. */
export class OldDays {
  private readonly database: Database;
  private readonly mostBytes: number;
  private deletion: Deletion | undefined;

  constructor(database: Database, limit: number = mostBytes) {
    this.database = database;
    this.mostBytes = limit;
  }

  /** Deletes some days. Returns their number. */
  async deleteSome(now: number): Promise<number> {
    const deletion = this.current(now) ?? (await this.find(now));
    deletion.at = now;
    const count = deletion.done < deletion.total ? await deleteBefore(this.database, deletion.first) : 0;
    deletion.done += count;
    this.deletion = count > 0 && deletion.done < deletion.total ? deletion : undefined;
    return count;
  }

  async limitState(now: number): Promise<LimitState> {
    const deletion = this.current(now);
    const removing: Removal | undefined = deletion && {
      done: deletion.done,
      total: deletion.total,
      unit: "days of visitors",
    };
    const fitting = findFitting(await this.sizes(), this.mostBytes, now);
    const early =
      fitting === undefined ? undefined : [`${describeFit(fitting, retentionDays, "day")} of visitors fit`];
    return { removing, early };
  }

  private current(now: number): Deletion | undefined {
    return this.deletion && now - this.deletion.at < endsAfterMs ? this.deletion : undefined;
  }

  private async find(now: number): Promise<Deletion> {
    const days = await this.sizes();
    const first = Math.max(dayOf(now) - retentionDays, firstFitting(days, this.mostBytes));
    return { first, total: days.filter(({ day }) => day < first).length, done: 0, at: now };
  }

  /** Newest first. */
  private sizes(): Promise<DaySize[]> {
    return this.database
      .tables<VisitorTables>()
      .selectFrom("annex_visitor_days")
      .select(["day", "bytes"])
      .orderBy("day", "desc")
      .execute();
  }
}

type DaySize = Pick<VisitorTables["annex_visitor_days"], "day" | "bytes">;

function firstFitting(newestFirst: readonly DaySize[], most: number): number {
  let bytes = 0;
  const tooMuch = newestFirst.find((day) => {
    bytes += day.bytes;
    return bytes > most;
  });
  return tooMuch === undefined ? 0 : tooMuch.day + 1;
}

/** How many days fit, if the next one displaces the oldest before it is too old. */
function findFitting(newestFirst: readonly DaySize[], most: number, now: number): number | undefined {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) return undefined;
  const fitting = dayOf(now) - Math.max(oldest.day, firstFitting(newestFirst, most));
  const bytes = newestFirst.reduce((sum, day) => sum + day.bytes, newestFirst[0]!.bytes);
  return bytes > most && fitting < retentionDays ? fitting : undefined;
}

async function deleteBefore(database: Database, first: number): Promise<number> {
  const tables = database.tables<VisitorTables>();
  const oldest = await tables
    .selectFrom("annex_visitor_days")
    .select(["day", "bytes"])
    .where("day", "<", first)
    .orderBy("day")
    .limit(daysPerBatch)
    .execute();
  let bytes = 0;
  const days = oldest
    .filter((day, index) => {
      bytes += day.bytes;
      return index === 0 || bytes <= bytesPerBatch;
    })
    .map(({ day }) => day);
  if (days.length === 0) return 0;
  const { numDeletedRows } = await tables
    .deleteFrom("annex_visitor_days")
    .where("day", "in", days)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
