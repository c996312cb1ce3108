import { setTimeout as delay } from "node:timers/promises";
import type { RunRequest } from "../runs/run-request.ts";
import type { Runner } from "../runs/runner.ts";
import { toShares } from "../runs/spread.ts";
import type { RunStore } from "../runs/store/run-store.ts";
import { tickName } from "../tick-name.ts";

export interface TickSharesOptions {
  readonly runner: Pick<Runner, "runTicks">;
  readonly runs: Pick<RunStore, "findTicks">;
  /** What this instance knows about the others. */
  readonly fleet: { readonly instanceCount: number; readonly rank: number };
  /** Time for all instances to store their shares, before the others look for what is left. Default 250. */
  readonly patienceMs?: number;
}

/** Time between the claims of two instances, and of the first and the last one. */
const stepMs = 10;
const longestMs = 250;
const defaultPatienceMs = 250;

/**
 * The instances of a fleet know the same ticks. Each claims its share first, a few milliseconds after the previous one,
 * so that they do not wait for each other's transactions. The others divide the ticks that a slow, busy or
 * dead instance leaves. The first one that claims a tick gets the rest.
 *
 * The pauses are real time, not that of the clock: they separate statements, not ticks.
 */
export class TickShares {
  private readonly options: TickSharesOptions;
  private readonly stopping = new AbortController();
  private readonly claiming = new Map<Promise<void>, readonly RunRequest[]>();

  constructor(options: TickSharesOptions) {
    this.options = options;
  }

  async run(requests: RunRequest[]): Promise<void> {
    const claim = this.claim(requests).finally(() => this.claiming.delete(claim));
    this.claiming.set(claim, requests);
    await claim;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.claiming.keys());
  }

  /** When the first tick was due that may not have been claimed by any instance. */
  oldest(): number | undefined {
    const times = [...this.claiming.values()].flat().map(({ scheduledAt }) => scheduledAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  private async claim(requests: RunRequest[]): Promise<void> {
    const { runner, fleet, patienceMs = defaultPatienceMs } = this.options;
    const { instanceCount, rank } = fleet;
    if (instanceCount < 2) return runner.runTicks(requests);
    const { own, asSubstitute, rest } = toShares(requests, { instanceCount, rank }, nameOf);
    const windowMs = Math.min(longestMs, instanceCount * stepMs);
    if (!(await this.pause((windowMs * rank) / instanceCount))) return;
    if (own.length > 0) await runner.runTicks(own);
    let left = [...asSubstitute, ...rest];
    for (const part of [new Set(asSubstitute), new Set(rest)]) {
      if (left.length === 0 || !(await this.pause(windowMs + patienceMs))) return;
      const found = await this.findLeft(left);
      const claimed = found.filter((request) => part.has(request));
      if (claimed.length > 0) await runner.runTicks(claimed);
      left = found.filter((request) => !part.has(request));
    }
  }

  private async findLeft(requests: RunRequest[]): Promise<RunRequest[]> {
    try {
      const taken = await this.options.runs.findTicks(requests.map(nameOf));
      return requests.filter((request) => !taken.has(nameOf(request)));
    } catch {
      // The runner reports it, and repeats what it cannot store.
      return requests;
    }
  }

  /** Returns false if this instance stops. */
  private async pause(milliseconds: number): Promise<boolean> {
    const { signal } = this.stopping;
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
    return !signal.aborted;
  }
}

function nameOf({ job, scheduledAt }: RunRequest): string {
  return tickName(job.id, scheduledAt);
}
