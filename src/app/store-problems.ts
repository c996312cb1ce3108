import type { StoreProblem } from "../metrics/index.ts";
import { type DatabaseFault, describeFault } from "../storage/index.ts";

export interface StoreConditions {
  /** The last fault of the application's database. */
  readonly database: DatabaseFault | undefined;
  /** Why log records, or metrics and visitors, cannot be stored. */
  readonly logs: string | undefined;
  readonly metrics: string | undefined;
  /** Damage found since startup. */
  readonly damage: readonly string[];
}

/** Returns the storage failures as reasons for the health status. */
export function findStoreProblems({ database, logs, metrics, damage }: StoreConditions): StoreProblem[] {
  const failing = database && `The database cannot be written. ${describeFault(database.reason)}`;
  const degraded = [
    ...(logs === undefined ? [] : [`Failed to store log records: ${endSentence(logs)}`]),
    ...(metrics === undefined ? [] : [`Failed to store metrics and visitors: ${endSentence(metrics)}`]),
    ...damage,
  ];
  return [
    ...(failing === undefined ? [] : [{ status: "failing" as const, reason: failing }]),
    ...degraded.map((reason) => ({ status: "degraded" as const, reason })),
  ];
}

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
