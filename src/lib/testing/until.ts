/** Captured here, because a test may replace the timers of its process. */
const { setImmediate: soon, setTimeout: later } = globalThis;

/** Shorter than the deadline of a test, so that a failure names what was awaited. */
const usualLimitMs = 180_000;
/** After this many turns of the event loop, polling switches to a timer. */
const quickTurns = 20;
const everyMs = 10;

export interface Limit {
  /** In milliseconds. */
  readonly within?: number;
}

/**
 * Reads until the value is as wanted, and returns it. Without a condition, any true value ends it.
 *
 *     const run = await until("the run ends", () => jobs.findRun(id), ({ status }) => status !== "running");
 */
export async function until<T>(
  awaited: string,
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
  { within = usualLimitMs }: Limit = {},
): Promise<T> {
  const deadline = performance.now() + within;
  for (let turn = 0; ; turn++) {
    const value = await readBefore(deadline, awaited, read);
    if (isWanted(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`Timed out while waiting until ${awaited}. Last value: ${show(value)}`);
    await new Promise((resolve) => (turn < quickTurns ? soon(resolve) : later(resolve, everyMs)));
  }
}

/**
 * Waits until a condition is true. Its source text describes it.
 *
 *     await eventually(() => calls === 3);
 */
export async function eventually(check: () => boolean | Promise<boolean>, limit?: Limit): Promise<void> {
  await until(String(check), check, Boolean, limit);
}

/** A read that never returns must not exceed the deadline either. */
async function readBefore<T>(
  deadline: number,
  awaited: string | (() => string),
  read: () => T | Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => {
    const name = typeof awaited === "string" ? awaited : awaited();
    late.reject(new Error(`Timed out while waiting until ${name}`));
  };
  const timer = later(giveUp, Math.max(1, deadline - performance.now()));
  try {
    return await Promise.race([read(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise until the deadline. The description may be known only at the end. */
export function settles<T>(
  awaited: string | (() => string),
  promise: Promise<T>,
  { within = usualLimitMs }: Limit = {},
): Promise<T> {
  return readBefore(performance.now() + within, awaited, () => promise);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 500);
}
