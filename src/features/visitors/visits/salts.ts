import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Clock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import { dayOf } from "../days.ts";
import type { PageView } from "../messages.ts";
import type { VisitorTables } from "../tables.ts";

/** How long views of the previous day are accepted after midnight, and its salt is retained. */
export const graceMs = 10 * minuteMs;

/** Whether the day can still be written to. */
export function isOpen(day: number, now: number): boolean {
  return day >= dayOf(now - graceMs);
}

/**
 * Salts, one per day, shared by all instances. Once a salt is deleted, hashes can no longer be matched with addresses,
 * not even by trying all addresses.
 */
export interface Salts {
  /** Returns the salt of a day; creates it if necessary. */
  of(day: number): Promise<KeyObject>;
  /** Deletes the salts of past days, in memory and in the store. */
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
    // If several instances insert a salt, all use the first one.
    const { salt } = await tables
      .selectFrom("annex_visitor_salts")
      .select("salt")
      .where("day", "=", day)
      .executeTakeFirstOrThrow();
    // Stored as a key object, because creating one for every view would take longer than the hash.
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

/** Identifies a visitor for one day. With twelve characters, collisions among a million visitors are very unlikely. */
export function visitorId(salt: KeyObject, { ip, agent }: PageView, host: string): string {
  return createHmac("sha256", salt).update(`${ip}\0${agent}\0${host}`).digest("base64url").slice(0, 12);
}
