import { executionAsyncId } from "node:async_hooks";
import { type ELDHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks";
import { ObservedRequest, RequestEvent } from "../../../http/index.ts";
import { createId } from "../../../lib/ids.ts";
import { onProcessExit } from "../../../lib/node/process-exit.ts";
import { type Traced, traceContext } from "../../../lib/trace-context.ts";
import { Attribution, findShownFrame, type Sequence } from "./attribution.ts";
import { captureFrames } from "./capture-frames.ts";
import type { Blocker, FoundStall, RequestWork, Work } from "./stall.ts";
import {
  beatMs,
  createShared,
  leaveAsked,
  monotonicNow,
  resting,
  type Shared,
  type StallListener,
  type StallWatch,
  sessionOpen,
  values,
  viewShared,
} from "./watch-contract.ts";

export interface StallProbeOptions {
  readonly thresholdMs: number;
  /** Requests without a response. */
  openRequests(): { readonly count: number; readonly listed: readonly Omit<RequestWork, "kind">[] };
  /** Job runs in progress. */
  activeRuns(): readonly Traced[];
}

/** The main thread's side of the detection of stalls. It does nothing until another thread finds the loop blocked. */
export class StallProbe {
  /** For the watching thread. */
  readonly watch: StallWatch;
  private readonly options: StallProbeOptions;
  private readonly beats: ELDHistogram = monitorEventLoopDelay({ resolution: beatMs });
  private readonly symbol: symbol;
  private readonly listener: StallListener = {
    sample: () => this.sample(),
    end: () => this.end(),
  };
  private readonly values: Shared["values"];
  private readonly found: FoundStall[] = [];
  private stopListening = () => {};
  private beating: NodeJS.Timeout | undefined;
  private current:
    | { readonly number: number; readonly attribution: Attribution; readonly inFlight: InFlight }
    | undefined;
  /** Of the last two calls of `take`. The last one may have been after a stall whose end is not known yet. */
  private utilizations = [performance.eventLoopUtilization(), performance.eventLoopUtilization()] as const;

  constructor(options: StallProbeOptions) {
    this.options = options;
    const key = `annex.stalls.${createId()}`;
    this.symbol = Symbol.for(key);
    this.watch = {
      beats: this.beats,
      thresholdMs: options.thresholdMs,
      key,
      shared: createShared(),
    };
    this.values = viewShared(this.watch.shared).values;
  }

  start(): void {
    this.beats.enable();
    Object.defineProperty(globalThis, this.symbol, { value: this.listener, configurable: true });
    this.stopListening = onProcessExit(() => this.leave());
  }

  /** Makes no beats during a rest, and is watched from the moment in which it ends. */
  rest(isResting: boolean): void {
    const { flags } = viewShared(this.watch.shared);
    this.stopBeating();
    this.beats.disable();
    // Otherwise, Node counts the rest as a delay.
    this.beats.reset();
    if (!isResting) this.startBeating();
    Atomics.store(flags, resting, isResting ? 1 : 0);
    Atomics.notify(flags, resting);
  }

  private startBeating(): void {
    this.beats.enable();
    const beat = () => {
      this.values[values.beatAt] = monotonicNow();
      if (this.beats.count === 0) this.beating = setTimeout(beat, beatMs).unref();
    };
    // The timer does not belong to the request that ends the rest.
    traceContext.exit(beat);
  }

  private stopBeating(): void {
    clearTimeout(this.beating);
  }

  stop(): void {
    this.stopBeating();
    this.beats.disable();
    // Beats that have stopped look like a stall.
    const { flags } = viewShared(this.watch.shared);
    Atomics.store(flags, leaveAsked, 1);
    Atomics.notify(flags, resting);
    Reflect.deleteProperty(globalThis, this.symbol);
    this.stopListening();
  }

  /** Returns the stalls since the last call. */
  take(): FoundStall[] {
    this.utilizations = [this.utilizations[1], performance.eventLoopUtilization()];
    return this.found.splice(0);
  }

  /**
   * A process that exits while a session is open waits for it, and writes to stderr that it waits for a debugger. So the
   * session gets the time to close.
   */
  private leave(): void {
    const { flags } = viewShared(this.watch.shared);
    Atomics.store(flags, leaveAsked, 1);
    Atomics.wait(flags, sessionOpen, 1, leaveMs);
  }

  /** Runs in the middle of the code that blocks the event loop. */
  private sample(): void {
    const number = this.values[values.sampledStall]!;
    const askedAt = this.values[values.askedAt]!;
    const at = monotonicNow();
    const work = traceContext.getStore();
    if (this.current?.number !== number)
      this.current = { number, attribution: new Attribution(), inFlight: this.listInFlight() };
    // The innermost frame is the expression that called this.
    const frames = captureFrames(this.listener.sample).slice(1);
    this.current.attribution.add({ askedAt, at, work, callback: executionAsyncId(), frames });
  }

  private end(): void {
    const number = this.values[values.endedStall]!;
    const durationMs = this.values[values.durationMs]!;
    const endedAt = this.values[values.endedAt]!;
    const known = this.current?.number === number ? this.current : undefined;
    this.current = undefined;
    if (this.found.length >= maxFound || this.wasIdle(durationMs)) return;
    const sequence = known?.attribution.find();
    const blocker = sequence && toBlocker(sequence);
    const startedAt = Math.round(endedAt - durationMs);
    const { works, count } = known?.inFlight ?? this.listInFlight();
    const others = works.filter((work) => !isSame(work, blocker?.work) && work.startedAt < endedAt);
    this.found.push({
      startedAt,
      durationMs: Math.round(durationMs),
      blocker,
      inFlight: others.slice(0, maxListed),
      inFlightCount: count - (works.length - others.length),
    });
  }

  /** If the machine does not let the process run, its event loop is late, but not blocked. */
  private wasIdle(durationMs: number): boolean {
    return performance.eventLoopUtilization(this.utilizations[0]).active < durationMs / 2;
  }

  private listInFlight(): InFlight {
    const { count, listed } = this.options.openRequests();
    const runs = this.options.activeRuns().flatMap((run) => describeWork(run) ?? []);
    const requests = listed.map((request) => ({ kind: "request" as const, ...request }));
    return { works: [...runs, ...requests], count: count + runs.length };
  }
}

interface InFlight {
  readonly works: readonly Work[];
  readonly count: number;
}

/** Stalls are taken every second. */
const maxFound = 50;
const maxListed = 20;

const leaveMs = 100;

function toBlocker({ work, isCertain, frames }: Sequence): Blocker | undefined {
  const described = work && describeWork(work);
  if (!described && frames.length === 0) return undefined;
  return { work: described, isCertain, frames, shownFrame: findShownFrame(frames) };
}

function describeWork(traced: Traced): Work | undefined {
  const { traceId, run } = traced;
  if (run) return { kind: "run", traceId, ...run };
  const observed = traced instanceof RequestEvent ? traced.response.observed : traced;
  if (!(observed instanceof ObservedRequest)) return undefined;
  const { method, path, route, startedAt } = observed;
  return {
    kind: "request",
    traceId,
    method,
    path,
    route: route?.pattern.text,
    startedAt: Math.round(performance.timeOrigin + startedAt),
  };
}

/** A request and the run that it started share a trace ID. */
function isSame(work: Work, other: Work | undefined): boolean {
  if (work.kind === "run") return other?.kind === "run" && other.runId === work.runId;
  return other?.kind === "request" && other.traceId === work.traceId;
}
