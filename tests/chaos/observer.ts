import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { monotonicMs, type StoredRun } from "./records.ts";

const pollMs = 500;

/** Watches the runs in the database, on a connection that no fault affects except an outage. */
export class Observer {
  private readonly url: string;
  private readonly lastRunning = new Map<string, number>();
  private readonly closing = new AbortController();
  private polling: Promise<void> | undefined;

  constructor(url: string) {
    this.url = url;
  }

  start(): void {
    this.polling = this.poll();
  }

  async stop(): Promise<void> {
    this.closing.abort();
    await this.polling;
  }

  /** When a run was last seen in progress. */
  lastSeenRunning(run: string): number | undefined {
    return this.lastRunning.get(run);
  }

  readRuns(): Promise<StoredRun[]> {
    return this.query(
      "select id, job_id, status, trigger, scheduled_at::float8, attempt::int, started_at::float8, ended_at::float8, output from annex_cron_runs order by started_at, id",
    );
  }

  /** Runs that are in progress, or wait for a retry. */
  async unfinished(): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `select ((select count(*) from annex_cron_runs where status = 'running')
        + (select count(*) from annex_cron_queue))::int as count`,
    );
    return row!.count;
  }

  async query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.url, query_timeout: 10_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(text, values)).rows as R[];
    } finally {
      await client.end().catch(() => {});
    }
  }

  private async poll(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const running = await this.query<{ id: string }>(
        "select id from annex_cron_runs where status = 'running'",
      ).catch(() => []);
      const at = monotonicMs();
      for (const { id } of running) this.lastRunning.set(id, at);
      await delay(pollMs, undefined, { signal: this.closing.signal }).catch(() => {});
    }
  }
}
