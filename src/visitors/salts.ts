import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../storage/index.ts";
import { dayOf } from "./days.ts";
import type { PageView } from "./messages.ts";
import type { VisitorTables } from "./tables.ts";

/** How long after midnight views of the day before are still taken, and its salt still exists. */
export const graceMs = 10 * 60_000;

/** Whether the day can still be written to. */
export function isOpen(day: number, now: number): boolean {
  return day >= dayOf(now - graceMs);
}

/**
 * The salts, one for each day, shared by all instances. A salt that is deleted cannot be had again, and without it
 * nobody can find out whether a hash belongs to an address, however many addresses they try.
 */
export interface Salts {
  /** The day's salt, made if nobody has needed it yet. */
  of(day: number): Promise<KeyObject>;
  /** Deletes the salts of days that are over, here and in the store. */
  discard(): Promise<void>;
}

export function createSalts(database: Database, clock: Clock): Salts {
  const known = new Map<number, KeyObject>();
  const tables = database.tables<VisitorTables>();

  async function read(day: number): Promise<KeyObject> {
    await tables
      .insertInto("annex_visitor_salts")
      .values({ day, salt: randomBytes(32) })
      .onConflict((conflict) => conflict.column("day").doNothing())
      .execute();
    // Whoever was first has won, and everybody uses that one.
    const { salt } = await tables
      .selectFrom("annex_visitor_salts")
      .select("salt")
      .where("day", "=", day)
      .executeTakeFirstOrThrow();
    // Bytes would be made a key anew for every view, which takes longer than the rest.
    return createSecretKey(salt);
  }

  return {
    async of(day) {
      const salt = known.get(day) ?? (await read(day));
      known.set(day, salt);
      return salt;
    },
    async discard() {
      const first = dayOf(clock.now() - graceMs);
      for (const day of known.keys()) if (day < first) known.delete(day);
      await tables.deleteFrom("annex_visitor_salts").where("day", "<", first).execute();
    },
  };
}

/** Who it was, for this one day. Twelve letters are enough that two of a million visitors are never taken for one. */
export function visitorId(salt: KeyObject, { ip, agent }: PageView, host: string): string {
  return createHmac("sha256", salt).update(`${ip}\0${agent}\0${host}`).digest("base64url").slice(0, 12);
}
