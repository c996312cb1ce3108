import type { Kysely } from "kysely";
import type { StoreState } from "../../feature/index.ts";
import { describeFit } from "../../lib/text/describe-fit.ts";
import { RemovalReport } from "../../lib/time/removal.ts";
import { eachInTurns, inTurns } from "../../lib/time/turns.ts";
import { dayMs } from "../../lib/time/units.ts";
import { auditLogDays, type SettingsTables } from "./tables.ts";
import type { ChangeKind } from "./wire.ts";

const keptMs = auditLogDays * dayMs;
/** Entries not caused by users. They have a separate limit, so that a crash loop does not displace user actions. */
const ownKinds: readonly string[] = ["start", "stop"] satisfies ChangeKind[];
const groups = {
  own: { most: 2_000, title: "starts and stops" },
  others: { most: 10_000, title: "the audit log" },
};
type Group = keyof typeof groups;

const readPerBatch = 1_000;
const deletedPerBatch = 200;

/** Deletes entries of the audit log that are too old or too many, in turns. */
export class AuditLogLimits {
  private readonly removal = new RemovalReport();
  /** The excess entries of each group were written before this time. */
  private readonly crowdedUntil: Record<Group, number> = { own: 0, others: 0 };

  hold(db: Kysely<SettingsTables>, now: number): Promise<void> {
    return this.removal.during(async (show) => {
      const ids = await this.find(db, now);
      let done = 0;
      const batches = Array.from({ length: Math.ceil(ids.length / deletedPerBatch) }, (_, index) =>
        ids.slice(index * deletedPerBatch, (index + 1) * deletedPerBatch),
      );
      const remove = async (batch: readonly number[]) => {
        await db.deleteFrom("annex_changes").where("id", "in", batch).execute();
        done += batch.length;
        show({ done, total: ids.length, unit: "audit log entries" });
      };
      await eachInTurns(batches, remove, { sharesCore: true });
    });
  }

  describe(now: number): Pick<StoreState, "removing" | "early"> {
    const early = (["others", "own"] as const).flatMap((group) => {
      const fitting = (now - this.crowdedUntil[group]) / dayMs;
      return fitting < auditLogDays
        ? [`${describeFit(fitting, auditLogDays, "day")} of ${groups[group].title} fit`]
        : [];
    });
    return { removing: this.removal.current, early: early.length > 0 ? early : undefined };
  }

  /** The IDs of the entries to delete, newest first. Reads all entries, of which the limits allow only a few thousand. */
  private async find(db: Kysely<SettingsTables>, now: number): Promise<number[]> {
    const found: number[] = [];
    const counts = { own: 0, others: 0 };
    let before = Number.MAX_SAFE_INTEGER;
    const findSome = async () => {
      const rows = await db
        .selectFrom("annex_changes")
        .select(["id", "at", "kind"])
        .where("id", "<", before)
        .orderBy("id", "desc")
        .limit(readPerBatch)
        .execute();
      for (const { id, at, kind } of rows) {
        const group = ownKinds.includes(kind) ? "own" : "others";
        const isExcess = ++counts[group] > groups[group].most;
        if (isExcess) this.crowdedUntil[group] = Math.max(this.crowdedUntil[group], at);
        if (isExcess || at < now - keptMs) found.push(id);
      }
      before = rows.at(-1)?.id ?? before;
      return rows.length === readPerBatch;
    };
    await inTurns(findSome);
    return found;
  }
}
