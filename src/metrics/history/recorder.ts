import { createId } from "../../lib/ids.ts";
import { type LevelSeconds, liveLevels } from "./levels.ts";
import { type SecondRecord, Slot } from "./slot.ts";

/** What could not be written is kept up to this much: slots, and routes in all of them together. */
const maxWaiting = { slots: 2_000, routes: 30_000 };
/** Clocks are corrected by a little all the time. */
const toleratedSeconds = 2;

/** Puts seconds together to the slots of each level, and keeps them until they have been written. */
export class Recorder {
  private readonly open = new Map<LevelSeconds, Slot>();
  private waiting = new Set<Slot>();
  private latest = 0;
  private writer = createId();
  /** Slots that were given up because too many were waiting. */
  dropped = 0;

  add(second: SecondRecord): void {
    if (second.time < this.latest - toleratedSeconds) this.beginAnew();
    this.latest = Math.max(this.latest, second.time);
    for (const level of liveLevels) {
      const slot = this.slotAt(level, this.latest - (this.latest % level));
      slot.add(second);
      this.waiting.add(slot);
    }
    this.dropTooMuch();
  }

  /** What has changed since it was last written. */
  take(): Slot[] {
    const taken = [...this.waiting];
    this.waiting = new Set();
    return taken;
  }

  /** Has it written once more. */
  giveBack(slots: readonly Slot[]): void {
    this.waiting = new Set([...slots, ...this.waiting]);
    this.dropTooMuch();
  }

  /** After the clock was put back: the same hour comes twice, and the second must not write over the first. */
  private beginAnew(): void {
    this.writer = createId();
    this.open.clear();
    this.latest = 0;
  }

  private slotAt(level: LevelSeconds, time: number): Slot {
    const current = this.open.get(level);
    if (current?.time === time) return current;
    const next = new Slot(level, time, this.writer);
    this.open.set(level, next);
    return next;
  }

  /** Of what waits, the single seconds go first: the same is in the longer slots. */
  private dropTooMuch(): void {
    let { size } = this.waiting;
    let routes = 0;
    for (const { requests } of this.waiting) routes += requests.size;
    if (size <= maxWaiting.slots && routes <= maxWaiting.routes) return;
    const open = new Set(this.open.values());
    const expendable = [...this.waiting]
      .filter((slot) => !open.has(slot))
      .sort((one, other) => one.level - other.level || one.time - other.time);
    // A part more than needed, so that this is not done again with the next second.
    for (const slot of expendable) {
      if (size <= maxWaiting.slots * 0.9 && routes <= maxWaiting.routes * 0.9) return;
      this.waiting.delete(slot);
      this.dropped++;
      size--;
      routes -= slot.requests.size;
    }
  }
}
