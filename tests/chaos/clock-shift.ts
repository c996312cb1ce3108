/** Preloaded with `--import`: shifts the clock of a process and of its threads, by `CHAOS_CLOCK_SHIFT_MS`. */
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);
const ActualDate = Date;

class ShiftedDate extends ActualDate {
  // biome-ignore lint/suspicious/noExplicitAny: Date has several constructors.
  constructor(...args: [any?]) {
    if (args.length === 0) super(ActualDate.now() + shiftMs);
    else super(...(args as [number]));
  }

  static override now(): number {
    return ActualDate.now() + shiftMs;
  }
}

if (shiftMs !== 0) globalThis.Date = ShiftedDate as DateConstructor;
