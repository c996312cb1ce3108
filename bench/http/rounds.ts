import { setTimeout as delay } from "node:timers/promises";
import type { BurstResult } from "./load.ts";
import { findCores, Peer } from "./peer.ts";
import type { CpuTime, Readiness } from "./subject.ts";

export interface Subject {
  name: string;
  file: string;
  args: readonly string[];
}
export interface Scenario {
  path: string;
  headers?: Record<string, string>;
  /** The JSON to send with POST. Without it, the method is GET. */
  send?: string;
  /** The body of every response, decoded. */
  body: string;
}
export interface Settings {
  rounds: number;
  /** How many times, spread over the rounds, all processes are started. */
  restarts: number;
  /** Seconds of load on every new process before anything counts. */
  warmup: number;
  /** A burst ends after so many seconds or requests, whichever comes first. */
  seconds: number;
  requests: number;
  connections: number;
}
export interface Burst {
  subject: string;
  /** Milliseconds since the start of the run, at the middle of the burst. */
  at: number;
  requests: number;
  cpuMicros: number;
  requestsPerSecond: number;
  p99Ms: number;
  /** How busy the load generator was, from 0 to 1. */
  generatorLoad: number;
}

/** Work that a burst leaves behind (a log buffer written, a block stored) is charged to it within this time. */
const settleMs = 300;

interface Runner extends Subject {
  peer: Peer;
  port: number;
  cpu: number;
}

/**
 * Runs every subject at once and loads one at a time, in another order each round. The processes are replaced a few
 * times on the way: one and the same program can be some per cent slower for the whole life of a process, depending on
 * where its code and memory happened to fall.
 */
export async function runRounds(
  subjects: Subject[],
  scenario: Scenario,
  settings: Settings,
): Promise<Burst[]> {
  const bursts: Burst[] = [];
  for (let restart = 0; restart < settings.restarts; restart++) {
    bursts.push(...(await runGeneration(subjects, scenario, settings)));
  }
  return bursts;
}

async function runGeneration(subjects: Subject[], scenario: Scenario, settings: Settings): Promise<Burst[]> {
  await using peers = new AsyncDisposableStack();
  const cores = findCores();
  const load = peers.use(
    new Peer("the load generator", import.meta.resolve("./load.ts"), { core: cores?.[1] }),
  );
  await load.hear();
  const runners: Runner[] = [];
  for (const subject of subjects) {
    const { name, file, args } = subject;
    const peer = peers.use(new Peer(name, file, { core: cores?.[0], args }));
    const { port } = await peer.hear<Readiness>();
    runners.push({ ...subject, peer, port, cpu: 0 });
  }
  const apply = async (runner: Runner, seconds: number) => {
    const target = { ...scenario, port: runner.port, connections: settings.connections };
    await load.ask({ prepare: target });
    await readCpu(runner);
    const start = performance.now();
    const result = await load.ask<BurstResult>({
      burst: { ...target, seconds, requests: settings.requests },
    });
    const burst = createBurst(runner.name, start, result);
    await delay(settleMs);
    burst.cpuMicros = (await readCpu(runner)) / burst.requests;
    return burst;
  };

  for (const runner of runners) await apply(runner, settings.warmup);
  const bursts: Burst[] = [];
  for (let round = 0; round < settings.rounds / settings.restarts; round++) {
    for (const runner of shuffle(runners)) bursts.push(await apply(runner, settings.seconds));
  }
  return bursts;
}

/** Microseconds of CPU since the last reading. What a server does while it idles, between its bursts, is nobody's. */
async function readCpu(runner: Runner): Promise<number> {
  const { micros } = await runner.peer.ask<CpuTime>({ cpu: true });
  const spent = micros - runner.cpu;
  runner.cpu = micros;
  return spent;
}

function createBurst(subject: string, start: number, result: BurstResult): Burst {
  return {
    subject,
    at: (start + performance.now()) / 2,
    requests: result.requests,
    cpuMicros: Number.NaN,
    requestsPerSecond: result.requests / result.seconds,
    p99Ms: result.p99Ms,
    generatorLoad: result.generatorSeconds / result.seconds,
  };
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
