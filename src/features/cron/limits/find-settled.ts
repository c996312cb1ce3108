import type { WaitingTick } from "./backlog.ts";
import type { Settled } from "./room.ts";

interface TickStore {
  /** Returns the ticks that have a run. */
  findTicks(ticks: string[]): Promise<Set<string>>;
  /** Returns those of these jobs that have an exclusive run in progress. */
  findBusyJobs(ids: string[]): Promise<Set<string>>;
}

interface Tick extends WaitingTick {
  readonly trigger: string;
}

/** Both engines limit the number of parameters. */
const mostPerStatement = 5_000;

/** Which waiting ticks have run, and which of those that a run in progress excludes have a job that is running. */
export async function findSettled<T extends Tick>(
  store: TickStore,
  waiting: readonly T[],
  nameOf: (tick: T) => string | null,
): Promise<Settled<T>> {
  const names = waiting.flatMap((tick) => nameOf(tick) ?? []);
  const done = await findInParts(names, store.findTicks);
  const excluded = waiting.filter(
    ({ job, trigger, hasWaited }) => job.overlap === "skip" && trigger !== "catch-up" && !hasWaited,
  );
  const jobIds = [...new Set(excluded.map(({ job }) => job.id))];
  const busy = await findInParts(jobIds, store.findBusyJobs);
  return {
    done: new Set(waiting.filter((tick) => done.has(nameOf(tick) ?? ""))),
    busy: new Set(excluded.filter(({ job }) => busy.has(job.id))),
  };
}

async function findInParts(
  names: readonly string[],
  find: (names: string[]) => Promise<Set<string>>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < names.length; start += mostPerStatement) {
    for (const name of await find(names.slice(start, start + mostPerStatement))) found.add(name);
  }
  return found;
}
