import { isInPackage } from "../../../lib/paths/paths.ts";
import type { Traced } from "../../../lib/trace-context.ts";
import type { Frame } from "./stall.ts";

/** What the main thread executed at one moment of a stall. Times are monotonic milliseconds. */
export interface Sample {
  /** When the sample was requested. */
  readonly askedAt: number;
  /** When it was taken. In between, the main thread did not enter any function: it was in native code. */
  readonly at: number;
  /** The request or run that the code belongs to. */
  readonly work: Traced | undefined;
  /** Identifies the callback of the event loop. */
  readonly callback: number;
  readonly frames: readonly Frame[];
}

/** Consecutive samples of the same work. */
export interface Sequence {
  readonly work: Traced | undefined;
  readonly isCertain: boolean;
  readonly frames: readonly Frame[];
}

interface OpenSequence {
  readonly work: Traced | undefined;
  readonly callback: number;
  readonly from: number;
  to: number;
  isCertain: boolean;
  readonly stacks: Map<string, { count: number; readonly frames: readonly Frame[] }>;
}

/** A sample that takes longer was delayed by native code. */
const promptMs = 10;
const maxStacks = 20;
/** Callbacks that take less time do not block the event loop noticeably. */
const leastMs = 15;

/**
 * Finds the code that caused a stall. One sample proves little: a loop that is late because of many short callbacks
 * also executes one of them at any moment. Only work that was seen for a long time, without other work in between, can
 * have caused the stall.
 */
export class Attribution {
  private current: OpenSequence | undefined;
  private longest: OpenSequence | undefined;
  /** Time from the first to the last sample. */
  private firstAt: number | undefined;
  private lastAt = 0;

  add({ askedAt, at, work, callback, frames }: Sample): void {
    const { current } = this;
    // Several callbacks of one request may follow each other. Code without a request is known only by its callback.
    const isSame = current && current.work === work && (work !== undefined || current.callback === callback);
    const sequence = isSame
      ? current
      : { work, callback, from: askedAt, to: at, isCertain: false, stacks: new Map() };
    this.current = sequence;
    this.firstAt ??= askedAt;
    this.lastAt = at;
    sequence.to = at;
    if (at - askedAt < promptMs) sequence.isCertain = true;
    countStack(sequence, frames);
    if (!this.longest || lengthOf(sequence) >= lengthOf(this.longest)) this.longest = sequence;
  }

  /** The work that was seen for most of the time, if any. */
  find(): Sequence | undefined {
    const { longest, firstAt = 0, lastAt } = this;
    if (!longest || lengthOf(longest) < Math.max(leastMs, (lastAt - firstAt) / 2)) return undefined;
    const [first] = [...longest.stacks.values()].sort((one, other) => other.count - one.count);
    return { work: longest.work, isCertain: longest.isCertain, frames: first?.frames ?? [] };
  }
}

function lengthOf({ from, to }: OpenSequence): number {
  return to - from;
}

/** The stack that was seen most often is shown. Samples of a loop differ in the functions that it calls. */
function countStack({ stacks }: OpenSequence, frames: readonly Frame[]): void {
  const shown = frames[findShownFrame(frames)];
  const key = shown ? `${shown.name} ${shown.file}` : "";
  const known = stacks.get(key);
  if (known) known.count++;
  else if (stacks.size < maxStacks) stacks.set(key, { count: 1, frames });
}

const ownFolder = new URL("../../../", import.meta.url).href;

/** Index of the innermost frame of the application, or of a package, or of Annex, or 0. */
export function findShownFrame(frames: readonly Frame[]): number {
  const hasFile = ({ file = "" }: Frame) => file !== "" && !file.startsWith("node:");
  const isForeign = (frame: Frame) => hasFile(frame) && !frame.file!.startsWith(ownFolder);
  const isOfApplication = (frame: Frame) => isForeign(frame) && !isInPackage(frame.file!);
  for (const isShown of [isOfApplication, isForeign, hasFile]) {
    const index = frames.findIndex(isShown);
    if (index !== -1) return index;
  }
  return 0;
}
