import { sql } from "kysely";
import type { StoredOutput } from "../../tables.ts";
import { slices } from "../batch.ts";
import { packOutput, unpackOutput } from "../packed-output.ts";
import { findForUpdate } from "./end-runs.ts";
import { asReal, asText, compare, type Writing } from "./writing.ts";

export interface WrittenOutput {
  readonly id: string;
  readonly output: string;
  readonly progress: number | null;
}

/** Stores the output of runs in progress. */
export async function saveOutput({ trx, engine }: Writing, runs: WrittenOutput[]): Promise<void> {
  for (const part of slices(runs.toSorted((one, other) => compare(one.id, other.id)))) {
    await findForUpdate({ trx, engine }, part, ["running"]);
    const rows = part.map(
      ({ id, output, progress }) => sql`(${asText(id)}, ${asText(output)}, ${asReal(progress)})`,
    );
    await sql`
      update annex_cron_runs set output = v.output, progress = v.progress
      from (
        select column1 as id, column2 as output, column3 as progress from (values ${sql.join(rows)}) as given
      ) as v
      where annex_cron_runs.id = v.id and annex_cron_runs.status = 'running'`.execute(trx);
  }
}

/** Adds an error to the output of a run. */
export async function addError({ trx, engine }: Writing, id: string, message: string): Promise<void> {
  const row = await trx
    .selectFrom("annex_cron_runs")
    .select("output")
    .where("id", "=", id)
    .$if(engine === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) return;
  const output = packOutput(engine, withError(row.output, message));
  await trx.updateTable("annex_cron_runs").set({ output }).where("id", "=", id).execute();
}

/** Appends an error to the stored output. */
export function withError(stored: StoredOutput, message: string): string {
  const output = unpackOutput(stored);
  const entry = JSON.stringify({ level: "error", message });
  return output === "[]" ? `[${entry}]` : `${output.slice(0, -1)},${entry}]`;
}
