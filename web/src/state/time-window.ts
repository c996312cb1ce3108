import { computed, effect, signal } from "@preact/signals";
import { type Params, param, setParams } from "./address.ts";
import { isVisible } from "./visibility.ts";

/** The window of time that every page looks at. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const presets = {
  "15m": 15 * minute,
  "1h": hour,
  "6h": 6 * hour,
  "24h": day,
  "7d": 7 * day,
  "30d": 30 * day,
} as const;

export type Preset = keyof typeof presets;

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const fallback: Preset = "15m";

/** A window with fixed ends, if the address has one that can be. */
const fixed = computed<TimeWindow | undefined>(() => {
  const [from, to] = [readTime("from"), readTime("to")];
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
});

/** Undefined for what is no moment, whoever wrote it there. */
function readTime(name: "from" | "to"): number | undefined {
  const text = param(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The preset, or undefined for a window with fixed ends. */
export const preset = computed<Preset | undefined>(() => {
  if (fixed.value) return undefined;
  const name = param("range") as Preset | undefined;
  return name !== undefined && name in presets ? name : fallback;
});

/** Whether what is shown follows the clock. A window with fixed ends cannot. */
export const isLive = computed(() => preset.value !== undefined && param("live") !== "0");

/** How often a window of that length is looked at anew: about as often as its chart has a new point. */
export const refreshMs = computed(() => {
  const length = preset.value === undefined ? day : presets[preset.value];
  return Math.min(minute, Math.max(5_000, length / 180));
});

const ticked = signal(Date.now());

/** Its ends lie on whole steps, so that everybody who watches asks the same question. */
export const timeWindow = computed<TimeWindow>(() => {
  const name = preset.value;
  if (name === undefined) return fixed.value!;
  const latest = Math.floor((ticked.value - countedMs) / refreshMs.value) * refreshMs.value;
  const to = isLive.value ? latest : (readTime("to") ?? latest);
  return { from: to - presets[name], to };
});

/** The same window, or a little more, for what happens seldom and need not be asked for with every step. */
export function roundWindow({ from, to }: TimeWindow): TimeWindow {
  const quarter = 15_000;
  return { from: Math.floor(from / quarter) * quarter, to: Math.ceil(to / quarter) * quarter };
}

/** The window as the data routes take it, and the instance if one was chosen. */
export const windowParams = computed<Params>(() => ({
  from: timeWindow.value.from,
  to: timeWindow.value.to,
  instance: param("instance"),
}));

/** Of a window that was stopped the end stays where it is. */
export function choosePreset(name: Preset): void {
  const isStopped = preset.value !== undefined && !isLive.value;
  const range = name === fallback ? undefined : name;
  setParams({ range, from: undefined, ...(!isStopped && { to: undefined }) });
}

export function chooseWindow({ from, to }: TimeWindow): void {
  const [start, end] = [Math.min(from, to), Math.max(from, to)].map(Math.round) as [number, number];
  // The range stays, for whoever goes back to following the clock.
  setParams({ live: undefined, from: start, to: Math.max(end, start + 1_000) });
}

/** Moves the window by a part of its length, and no further than to now. */
export function shiftWindow(share: number): void {
  const { from, to } = timeWindow.value;
  const by = Math.min((to - from) * share, Math.max(0, Date.now() - to));
  chooseWindow({ from: from + by, to: to + by });
}

/** Stops where it is, for whoever is sent the link too, or follows the clock again. */
export function setLive(live: boolean): void {
  if (live) ticked.value = Date.now();
  setParams(
    live ? { live: undefined, from: undefined, to: undefined } : { live: 0, to: timeWindow.value.to },
  );
}

/** Then the last second of a step has been counted. */
const countedMs = 1_100;
/** Everybody asks soon after a step is over, and shares the answer, but not all in the same instant. */
const ownDelayMs = Math.random() * 700;

function untilNext(): number {
  const step = refreshMs.value;
  return step - ((Date.now() - countedMs - ownDelayMs) % step);
}

/** Lets the window follow the clock while somebody looks. */
export function followClock(): void {
  effect(() => {
    if (!isLive.value || !isVisible.value) return;
    ticked.value = Date.now();
    let timer = setTimeout(tick, untilNext());
    function tick(): void {
      ticked.value = Date.now();
      timer = setTimeout(tick, untilNext());
    }
    return () => clearTimeout(timer);
  });
}
