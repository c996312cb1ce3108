import type { AccessEvent } from "../../../auth/index.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { createTestOptions } from "../../../lib/testing/options.ts";
import type { Database } from "../../../storage/index.ts";
import { createAccess } from "../access.ts";
import { accessOptions } from "../options.ts";
import { createQueries } from "../queries.ts";
import type { AccessTables } from "../tables.ts";

export const start = Date.parse("2026-03-01T12:00:00Z");
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** A window that contains all events. */
export const always = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly data: object;
  readonly traceId: string | undefined;
}

/** One instance with a clock that the test controls, and its log records. */
export function createTestAccess(
  database: () => Promise<Database>,
  { clock = new FakeClock(start), instance = "web-1", retentionDays = 90 } = {},
) {
  const lines: LogLine[] = [];
  const log = (level: string, message: string, data: object, traceId?: string) =>
    void lines.push({ level, message, data, traceId });
  const options = createTestOptions(accessOptions, { retentionDays });
  const access = createAccess({ database, clock, instance, log, options });
  const queries = createQueries(database);
  /** Runs the cleanup job and returns its output. */
  async function cleanUp(): Promise<string> {
    let said = "";
    const signal = new AbortController().signal;
    const complete = (message: string) => {
      said = message;
    };
    await access.jobs[0]!.run({ info() {}, complete, signal });
    return said;
  }
  return { access, options, queries, clock, lines, cleanUp };
}

/** A failed sign-in from an address. */
export function failure(
  changes: Partial<AccessEvent> & { address?: string; agent?: string; traceId?: string } = {},
): AccessEvent {
  const { address = "192.0.2.1", agent = "curl/8.0", traceId = "AAAAAAAAAAAAAAAAAA", ...rest } = changes;
  const origin = { address, agent, traceId };
  return { kind: "sign-in-failed", account: "ada@example.com", origin, ...rest };
}

/** The number of rows and of events. */
export async function countStored(database: Database): Promise<{ rows: number; events: number }> {
  return database
    .tables<AccessTables>()
    .selectFrom("annex_access")
    .select(({ fn }) => [fn.countAll<number>().as("rows"), fn.sum<number>("count").as("events")])
    .executeTakeFirstOrThrow();
}
