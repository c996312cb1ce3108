import type { Observer } from "./observer.ts";

const minuteMs = 60_000;

export const msToTick = (now: number): number => minuteMs - (now % minuteMs);

/**
 * Sets the clock of the database forward, so that a tick is due in `ms`. All instances plan by this clock, and jobs run
 * once per minute at most: a short test does not have to wait for the next minute. A function of the same name replaces
 * the one of PostgreSQL. Returns how far the clock is ahead of the machine on which both run.
 */
export async function hurryClock(observer: Observer, ms: number): Promise<number> {
  const aheadMs = (msToTick(Date.now()) - ms + minuteMs) % minuteMs;
  await observer.query(`
    create schema chaos;
    create function chaos.clock_timestamp() returns timestamptz language sql volatile
      as $$ select pg_catalog.clock_timestamp() + interval '${aheadMs} ms' $$;
    alter database postgres set search_path = chaos, pg_catalog, public`);
  return aheadMs;
}
