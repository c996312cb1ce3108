import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Cleanup } from "../../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../../src/lib/testing/temporary-folder.ts";
import { createRandom } from "../../fuzz/random.ts";
import { durable, startPostgres } from "../../support/postgres.ts";
import { startProgram } from "../../support/program.ts";
import { startLoad } from "./load.ts";

export interface CounterRunOptions {
  readonly engine: "sqlite" | "postgres";
  readonly kills: number;
  readonly perSecond: number;
  readonly seed: number;
  log(line: string): void;
}

/** The requests between two kills. */
export interface Round {
  readonly sent: number;
  readonly acknowledged: number;
  /** Acknowledged requests that were not counted. */
  readonly lost: number;
}

const program = join(import.meta.dirname, "program.ts");
const account = { identity: "ada@example.com", password: "correct horse battery" };
const leastMs = 3_000;
const mostMs = 9_000;

/** Kills a server under load again and again, and compares the requests that it served with those that it counted. */
export async function runCounters(cleanup: Cleanup, options: CounterRunOptions): Promise<Round[]> {
  const { kills, perSecond, seed, log } = options;
  const random = createRandom(seed);
  const start = await createStart(cleanup, options);
  const rounds: Round[] = [];
  let acknowledged = 0;
  let lostBefore = 0;
  let server = await start();
  const from = Date.now() - 60_000;
  for (let kill = 1; kill <= kills; kill++) {
    const load = startLoad(`${server.url}/ping`, perSecond);
    await delay(leastMs + random.fraction() * (mostMs - leastMs));
    await server.kill();
    await load.stop();
    acknowledged += load.acknowledged;
    server = await start();
    const lost = acknowledged - (await countRequests(server.url, from));
    rounds.push({ sent: load.sent, acknowledged: load.acknowledged, lost: lost - lostBefore });
    lostBefore = lost;
    log(`${options.engine}, kill ${kill}: ${load.acknowledged} requests, ${rounds.at(-1)!.lost} not counted`);
  }
  await server.kill();
  return rounds;
}

interface Server {
  readonly url: string;
  kill(): Promise<void>;
}

async function createStart(cleanup: Cleanup, { engine }: CounterRunOptions): Promise<() => Promise<Server>> {
  const env: Record<string, string> = {
    SVC_DATA_DIR: createTemporaryFolder(),
    SVC_PORT: "0",
    CHAOS_IDENTITY: account.identity,
    CHAOS_PASSWORD: account.password,
  };
  if (engine === "postgres") {
    const database = await startPostgres([durable]);
    cleanup.after(() => database.stop());
    env.SVC_DATABASE_URL = database.url;
  }
  return async () => {
    const running = startProgram(cleanup, [program], { env });
    const [, url] = await running.says(/listening at (http:\/\/[\w.:]+)/);
    return {
      url: url!,
      async kill() {
        running.child.kill("SIGKILL");
        await running.ended;
      },
    };
  };
}

/** The number of requests to the route in the metrics history. */
async function countRequests(url: string, from: number): Promise<number> {
  const signIn = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { token } = (await signIn.json()) as { token: string };
  const query = new URLSearchParams({ from: `${from}`, to: `${Date.now() + 60_000}` });
  const response = await fetch(`${url}/_/_/data/routes?${query}`, { headers: { authorization: token } });
  const { routes } = (await response.json()) as { routes: { route: string; count: number }[] };
  return routes.filter(({ route }) => route.includes("/ping")).reduce((sum, { count }) => sum + count, 0);
}
