/** An open dashboard: its live stream, and a query of another page every few seconds. Its queries fill the page caches. */
import { setTimeout as delay } from "node:timers/promises";

export interface Watcher {
  /** Queries that failed. */
  readonly failed: number;
  stop(): Promise<void>;
}

const hour = 3_600_000;
const everyMs = 10_000;

export async function startWatcher(
  port: number,
  account: { identity: string; password: string },
): Promise<Watcher> {
  const url = `http://127.0.0.1:${port}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const response = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`Sign-in: ${response.status} ${await response.text()}`);
  const { token } = (await response.json()) as { token: string };
  const headers = { authorization: token };
  let failed = 0;

  async function watch(): Promise<void> {
    const stream = await fetch(`${url}/_/_/live`, { headers, signal });
    if (!stream.ok) throw new Error(`${stream.status}`);
    for await (const _ of stream.body!);
  }

  async function poll(): Promise<void> {
    for (let count = 0; !signal.aborted; count++) {
      await delay(everyMs, undefined, { signal });
      const answer = await fetch(`${url}${pathAt(count, Date.now())}`, { headers, signal });
      if (!answer.ok) failed++;
      await answer.arrayBuffer();
    }
  }

  const repeat = async (work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch(() => !signal.aborted && failed++);
      await delay(1_000, undefined, { signal }).catch(() => {});
    }
  };
  const running = Promise.all([repeat(watch), repeat(poll)]);
  return {
    get failed() {
      return failed;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function pathAt(count: number, now: number): string {
  const window = (length: number) => `from=${now - length}&to=${now}`;
  const paths = [
    `/_/_/data/requests?${window(24 * hour)}`,
    `/_/_/data/routes?${window(hour)}`,
    `/_/_/data/logs?limit=100`,
    `/_/_/data/system?${window(hour)}`,
    `/_/_/data/logs?limit=100&text=nowhere-${count}`,
    `/_/_/data/visitors?${window(24 * hour)}`,
    `/_/_/data/errors?${window(hour)}`,
    `/_/_/data/slowest?${window(hour)}`,
    "/_/_/data/cron",
    "/api/cron/logs?sort=-start_time",
    "/_/_/data/config",
    `/_/_/data/logs/volume?${window(24 * hour)}`,
  ];
  return paths[count % paths.length]!;
}
