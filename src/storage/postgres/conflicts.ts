import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/** Serialization failure and deadlock. */
const conflicts = new Set(["40001", "40P01"]);
const mostAttempts = 5;
const pauseMs = 20;

/**
 * Repeats a single statement that conflicted with another transaction. The server has undone it, so this is safe. Within
 * a transaction, only the caller can repeat the work.
 */
export async function retryConflicts<R>(isSingle: boolean, run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const { code = "" } = error as Partial<pg.DatabaseError>;
      if (!isSingle || !conflicts.has(code) || attempt === mostAttempts) throw error;
      await delay(Math.random() * pauseMs * attempt);
    }
  }
}

/** Whether a text is one statement in a transaction of its own. Only a text without parameters can contain several. */
export function isSingleStatement(client: pg.ClientBase, text: string, values: unknown[]): boolean {
  return client.getTransactionStatus() === "I" && (values.length > 0 || !text.includes(";"));
}
