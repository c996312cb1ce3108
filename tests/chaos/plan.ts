import { createRandom } from "../fuzz/random.ts";

/** Something that goes wrong, in seconds since the fleet is up. */
export type Fault = { readonly at: number } & (
  | { readonly kind: "kill"; readonly instance: number; readonly forSeconds: number }
  | { readonly kind: "stop"; readonly instance: number; readonly forSeconds: number }
  | { readonly kind: "silence"; readonly instance: number }
  | { readonly kind: "block"; readonly instance: number }
  | { readonly kind: "outage"; readonly how: "fast" | "immediate"; readonly forSeconds: number }
);

export interface PlanOptions {
  readonly seed: number;
  readonly instances: number;
  readonly seconds: number;
}

/** Time without faults at the end, in which everything recovers. */
const calmSeconds = 75;
const killEverySeconds = 20;
const downSeconds = 3;

export const blockSeconds = 20;

/** The first tick is due this long after the fleet is up. */
export const firstTickSeconds = 5;

/**
 * The faults of a full run. Most of them are near a tick, where they do most damage. The same seed gives the same plan.
 */
export function createPlan({ seed, instances, seconds }: PlanOptions): Fault[] {
  const random = createRandom(seed);
  const busySeconds = Math.max(0, seconds - calmSeconds);
  const lastTick = Math.floor((busySeconds - firstTickSeconds) / 60);
  /** Between two numbers of seconds after a tick. */
  const near = (tick: number, least: number, most: number) =>
    round(firstTickSeconds + 60 * Math.min(tick, lastTick) + least + random.fraction() * (most - least));
  const instance = () => random.below(instances);
  const placed: Fault[] = [
    { at: near(0, -2, 2), kind: "silence", instance: instance() },
    { at: near(0, 10, 30), kind: "block", instance: instance() },
    { at: near(1, -12, -3), kind: "outage", how: "immediate", forSeconds: 15 },
    { at: near(2, 0.2, 3), kind: "stop", instance: instance(), forSeconds: 60 },
    { at: near(3, 0, 1), kind: "outage", how: "fast", forSeconds: 0 },
    { at: near(4, -12, -1), kind: "outage", how: "fast", forSeconds: 15 },
  ];
  const kills: Fault[] = [];
  for (let tick = firstTickSeconds; tick < busySeconds; tick += killEverySeconds) {
    const at = round(tick + 0.2 + random.fraction() * 3);
    const free = Array.from({ length: instances }, (_, index) => index).filter(
      (index) => !placed.some((fault) => isNeeded(fault, index, at)),
    );
    if (free.length > 0)
      kills.push({ at, kind: "kill", instance: random.pick(free), forSeconds: downSeconds });
  }
  return [...placed, ...kills].sort((one, other) => one.at - other.at);
}

/** A short run with three instances: all of them have trouble during the first tick. */
export const shortPlan: readonly Fault[] = [
  { at: firstTickSeconds - 0.5, kind: "silence", instance: 2 },
  { at: firstTickSeconds + 1, kind: "stop", instance: 1, forSeconds: 18 },
  { at: firstTickSeconds + 1.5, kind: "kill", instance: 0, forSeconds: 1 },
  { at: firstTickSeconds + 2, kind: "block", instance: 2 },
];

/** An instance that is killed in the middle of another fault shows nothing about it. */
function isNeeded(fault: Fault, instance: number, at: number): boolean {
  if (fault.kind === "outage" || fault.kind === "kill" || fault.instance !== instance) return false;
  const seconds = fault.kind === "stop" ? fault.forSeconds + 15 : blockSeconds + 5;
  return at > fault.at - 10 && at < fault.at + seconds;
}

const round = (seconds: number) => Math.round(seconds * 10) / 10;

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case "kill":
      return `kill -9 of instance ${fault.instance}, restart after ${fault.forSeconds} s`;
    case "stop":
      return `SIGSTOP of instance ${fault.instance} for ${fault.forSeconds} s`;
    case "silence":
      return `the open connections of instance ${fault.instance} go silent`;
    case "block":
      return `a job on instance ${fault.instance} blocks the event loop`;
    case "outage":
      return fault.forSeconds === 0
        ? "restart of PostgreSQL"
        : `PostgreSQL ${fault.how === "fast" ? "is shut down" : "crashes"}, and starts after ${fault.forSeconds} s`;
  }
}
