import { createId } from "../../../lib/ids.ts";
import { type LevelSeconds, liveLevels } from "./levels.ts";
import { type SecondRecord, Slot } from "./slot.ts";

/** Limits for slots that could not be written: number of slots, and of routes in all of them. */
const maxWaiting = { slots: 2_000, routes: 30_000 };
/** Small clock corrections are normal. */
const toleratedSeconds = 2;

const nothing = { routes: [], requests: new Uint8Array(), slowest: [] } as const;

/** Merges seconds into the slots of each level and retains them until they have been written. */
export class Recorder {
  private readonly open = new Map<LevelSeconds, Slot>();
  private waiting = new Set<Slot>();
  private latest = 0;
  private writer = createId();
  /** Slots dropped because too many were pending. */
  dropped = 0;

  add(record: SecondRecord): void {
    const { time, seconds = 1, system } = record;
    this.addSecond(record);
    for (let offset = 1; offset < seconds; offset++)
      this.addSecond({ ...nothing, time: time + offset, ...(system && { system }) });
    this.dropTooMuch();
  }

  private addSecond(second: SecondRecord): void {
    if (second.time < this.latest - toleratedSeconds) this.beginAnew();
    this.latest = Math.max(this.latest, second.time);
    for (const level of liveLevels) {
      const slot = this.slotAt(level, this.latest - (this.latest % level));
      slot.add(second);
      this.waiting.add(slot);
    }
  }

  /** Returns the slots that changed since the last write. */
  take(): Slot[] {
    const taken = [...this.waiting];
    this.waiting = new Set();
    return taken;
  }

  /** Marks slots to be written again. */
  giveBack(slots: readonly Slot[]): void {
    this.waiting = new Set([...slots, ...this.waiting]);
    this.dropTooMuch();
  }

  /** Called after the clock was set back: the repeated hour must not overwrite the first one. */
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

  /** Drops pending slots. Single seconds go first, because longer slots contain the same data. */
  private dropTooMuch(): void {
    let { size } = this.waiting;
    let routes = 0;
    for (const { requests } of this.waiting) routes += requests.size;
    if (size <= maxWaiting.slots && routes <= maxWaiting.routes) return;
    const open = new Set(this.open.values());
    const expendable = [...this.waiting]
      .filter((slot) => !open.has(slot))
      .sort((one, other) => one.level - other.level || one.time - other.time);
    // Drops more than necessary, so that this is not repeated every second.
    for (const slot of expendable) {
      if (size <= maxWaiting.slots * 0.9 && routes <= maxWaiting.routes * 0.9) return;
      this.waiting.delete(slot);
      this.dropped++;
      size--;
      routes -= slot.requests.size;
    }
  }
}
