import { sql } from "kysely";
import { inTurns } from "../../../../lib/time/turns.ts";
import type { Database } from "../../../../storage/index.ts";
import type { CronLogger } from "../../logger.ts";
import type { CronTables } from "../../tables.ts";
import { packOutput, unpackOutput } from "../packed-output.ts";
import type { RunRow } from "../run.ts";

/** The table of an earlier release, with the same columns. SQLite only. */
interface OldTables extends CronTables {
  annex_cron_runs_old: CronTables["annex_cron_runs"] & { rowid: number };
}

export interface RunMoverOptions {
  readonly database: Database;
  readonly logger: CronLogger;
}

const rowsPerTurn = 200;
const reportEveryMs = 10_000;

/**
 * Moves the runs of an earlier release to the present table, the newest first, while the application runs. Each turn is
 * one transaction, and the old table contains what is left, so the next start continues after a crash.
 */
export class RunMover {
  private readonly options: RunMoverOptions;
  private readonly abort = new AbortController();
  private moving: Promise<void> | undefined;
  /** Whether runs are left in the old table. They are not in the log yet. */
  isMoving = false;

  constructor(options: RunMoverOptions) {
    this.options = options;
  }

  /** Finds out whether there is something to move. */
  async open(): Promise<void> {
    this.isMoving = await this.hasOldTable();
  }

  start(): void {
    if (!this.isMoving || this.moving) return;
    const { logger } = this.options;
    this.moving = this.moveAll().catch((error) => {
      this.moving = undefined;
      if (!this.abort.signal.aborted)
        logger.warn("Failed to move job runs to the new table; the next start continues", { error });
    });
  }

  /** Resolves when the transaction in progress has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.moving;
  }

  private async moveAll(): Promise<void> {
    const { logger, database } = this.options;
    const total = await this.countLeft();
    const begin = performance.now();
    let reported = begin;
    let moved = 0;
    logger.info("Moving job runs to a smaller table. Until then, older runs are not shown", { runs: total });
    const moveSome = async () => {
      const count = await this.moveSome();
      moved += count;
      if (performance.now() - reported >= reportEveryMs) {
        reported = performance.now();
        logger.info("Moving job runs to a smaller table", { moved, runs: total });
      }
      return count > 0;
    };
    await inTurns(moveSome, { signal: this.abort.signal, sharesCore: true });
    await sql`drop table annex_cron_runs_old`.execute(database.tables());
    this.isMoving = false;
    logger.info("Moved job runs to a smaller table", { moved, ms: Math.round(performance.now() - begin) });
  }

  private moveSome(): Promise<number> {
    return this.options.database.transaction<OldTables, number>(async (trx) => {
      const rows = await trx
        .selectFrom("annex_cron_runs_old")
        .selectAll()
        .select("rowid")
        .orderBy("rowid", "desc")
        .limit(rowsPerTurn)
        .execute();
      const insert = (runs: readonly RunRow[]) =>
        trx
          .insertInto("annex_cron_runs")
          .values(runs)
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .execute();
      const runs = rows.map(({ rowid, ...run }) => ({
        ...run,
        output: packOutput("sqlite", unpackOutput(run.output)),
        tick: run.tick === null ? null : "",
      }));
      if (runs.length === 0) return 0;
      const stored = new Set((await insert(runs)).map(({ id }) => id));
      const others = runs.filter(({ id }) => !stored.has(id)).map((run) => ({ ...run, tick: null }));
      // An earlier release named ticks in another way, so one may have several runs.
      if (others.length > 0) await insert(others);
      await trx.deleteFrom("annex_cron_runs_old").where("rowid", ">=", rows.at(-1)!.rowid).execute();
      return runs.length;
    });
  }

  private async hasOldTable(): Promise<boolean> {
    const { database } = this.options;
    if (database.engine !== "sqlite") return false;
    const { rows } = await sql`
      select 1 from sqlite_master where type = 'table' and name = 'annex_cron_runs_old'`.execute(
      database.tables(),
    );
    return rows.length > 0;
  }

  private async countLeft(): Promise<number> {
    const runs = this.options.database.tables<OldTables>().selectFrom("annex_cron_runs_old");
    const { count } = await runs
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }
}
