import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCheckout } from "../../../bench/growth/checkout.ts";
import { fillLogs } from "../../../bench/growth/fill/logs.ts";
import { fillMetrics } from "../../../bench/growth/fill/metrics.ts";
import type { Cleanup } from "../../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../../src/lib/testing/temporary-folder.ts";
import { until } from "../../../src/lib/testing/until.ts";
import { durable, startPostgres } from "../../support/postgres.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { type Acknowledged, startTracedLoad } from "./load.ts";

export interface LimitRunOptions {
  readonly engine: "sqlite" | "postgres";
  /** How often all limits are lowered and raised again. There is a kill after half of them. */
  readonly rounds: number;
  /** Between a change and the next one. */
  readonly everyMs: number;
  readonly perSecond: number;
  /** Old records, of which a lower limit deletes most. */
  readonly oldRecords: number;
  /** Days of minutes of old metrics. */
  readonly oldDays: number;
  /** The lower limit of the log. Enough for what the run itself writes. */
  readonly logMegabytes: number;
  log(line: string): void;
}

export interface LimitRunResult {
  readonly acknowledged: number;
  /** Acknowledged requests without a stored record, except those of the last moments before the kill. */
  readonly lost: readonly string[];
  /** What the server printed about threads that ended. */
  readonly replacedThreads: readonly string[];
  /** Responses of the readiness route other than 200. */
  readonly unready: readonly string[];
  readonly readinessChecks: number;
}

/** Low enough that old data is deleted, and high enough for what the run itself writes. */
const lowered = {
  "log.retentionHours": 2,
  "metrics.maxMegabytes": 1,
  "cron.logRetentionHours": 1,
  "access.retentionDays": 1,
};
const account = { identity: "ada@example.com", password: "correct horse battery" };
const program = join(import.meta.dirname, "program.ts");
const root = join(import.meta.dirname, "../../..");
const hour = 3_600_000;
/** A killed process loses what it has not written. */
const unwrittenMs = 6_000;

/** Lowers all limits of a filled store and raises them again, under load and with a kill in between. */
export async function runLimits(cleanup: Cleanup, options: LimitRunOptions): Promise<LimitRunResult> {
  const { rounds, everyMs, perSecond, log } = options;
  const limits = { ...lowered, "log.maxMegabytes": options.logMegabytes };
  const env = await prepare(cleanup, options);
  const from = Date.now();
  const acknowledged: Acknowledged[] = [];
  const kills: number[] = [];
  const programs: Program[] = [];
  const readiness = { checks: 0, unready: [] as string[] };

  async function serve(count: number): Promise<Server> {
    const server = await startServer(cleanup, env);
    programs.push(server.program);
    const watch = watchReadiness(server.url, readiness);
    const load = startTracedLoad(`${server.url}/ping`, perSecond);
    for (let round = 0; round < count; round++) {
      for (const isLow of [true, false]) {
        await changeAll(server, limits, isLow);
        log(`${options.engine}: ${isLow ? "lower" : "raise"}, ${load.acknowledged.length} responses`);
        await delay(everyMs);
      }
    }
    await load.stop();
    await watch.stop();
    acknowledged.push(...load.acknowledged);
    return server;
  }

  const first = await serve(Math.ceil(rounds / 2));
  await changeAll(first, limits, true);
  kills.push(Date.now());
  first.program.child.kill("SIGKILL");
  await first.program.ended;
  const second = await serve(Math.floor(rounds / 2));
  const isDue = ({ at }: Acknowledged) => kills.every((kill) => at < kill - unwrittenMs || at > kill);
  const wanted = acknowledged.filter(isDue).map(({ traceId }) => traceId);
  const findLost = async () => {
    const stored = await readTraceIds(second, from);
    return wanted.filter((traceId) => !stored.has(traceId));
  };
  const lost = await until("the last records are stored", findLost, (missing) => missing.length === 0).catch(
    findLost,
  );
  return {
    acknowledged: wanted.length,
    lost,
    replacedThreads: programs.flatMap(({ stdout, stderr }) =>
      (stdout + stderr).split("\n").filter((line) => /thread \S+ has ended|no response within/i.test(line)),
    ),
    unready: readiness.unready,
    readinessChecks: readiness.checks,
  };
}

async function prepare(
  cleanup: Cleanup,
  { engine, oldRecords, oldDays }: LimitRunOptions,
): Promise<Record<string, string>> {
  const dataDir = createTemporaryFolder();
  let url: string | undefined;
  if (engine === "postgres") {
    const database = await startPostgres([durable]);
    cleanup.after(() => database.stop());
    url = database.url;
  }
  const checkout = createCheckout({ folder: root, dataDir, url });
  const now = Date.now();
  await fillLogs(checkout, { records: oldRecords, from: now - 100 * hour, to: now - 3 * hour });
  const to = Math.floor(now / 60_000) * 60;
  await fillMetrics(checkout, { minuteDays: oldDays, hourDays: oldDays * 7, to, withLive: false });
  return {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: "0",
    CHAOS_IDENTITY: account.identity,
    CHAOS_PASSWORD: account.password,
    ...(url !== undefined && { SVC_DATABASE_URL: url }),
  };
}

interface Server {
  readonly program: Program;
  readonly url: string;
  request(method: string, path: string, body?: object): Promise<Response>;
}

async function startServer(cleanup: Cleanup, env: Record<string, string>): Promise<Server> {
  const running = startProgram(cleanup, [program], { env });
  const [, url] = await running.says(/listening at (http:\/\/[\w.:]+)/);
  const send = async (method: string, path: string, body?: object, authorization?: string) => {
    const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const signIn = await send("POST", "/api/collections/_superusers/auth-with-password", account);
  const { token } = (await signIn.json()) as { token: string };
  return { program: running, url: url!, request: (method, path, body) => send(method, path, body, token) };
}

async function changeAll({ request }: Server, limits: Readonly<Record<string, number>>, isLow: boolean) {
  for (const [name, value] of Object.entries(limits)) {
    const path = `/_/_/data/config/${name}`;
    await (isLow ? request("PUT", path, { value }) : request("DELETE", path));
  }
}

function watchReadiness(url: string, into: { checks: number; unready: string[] }) {
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const response = await fetch(`${url}/api/health/ready`).catch((error: unknown) => `${error}`);
      into.checks++;
      if (typeof response === "string") into.unready.push(response);
      else if (response.status !== 200) into.unready.push(`${response.status} ${await response.text()}`);
      else await response.arrayBuffer();
      await delay(250, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The trace IDs of all stored requests to the route. */
async function readTraceIds({ request }: Server, from: number): Promise<Set<string>> {
  const response = await request("GET", `/_/_/data/requests.csv?from=${from}&path=/ping`);
  return new Set((await response.text()).split(/[",\s]+/));
}
