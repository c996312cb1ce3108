import { computed, effect, signal } from "@preact/signals";
import { type Params, page, param, params, setParams } from "./address.ts";
import { isVisible } from "./visibility.ts";

/** The time window of every page. */

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

/** The time window that an address asks for. */
export interface WindowChoice {
  /** The window with fixed ends, if the address has a valid one. */
  readonly fixed: TimeWindow | undefined;
  /** Undefined for a window with fixed ends. */
  readonly preset: Preset | undefined;
  /** Whether it follows the clock. A window with fixed ends never does. */
  readonly isLive: boolean;
  /** The end of a paused preset; without one, it ends when the page is opened. */
  readonly end: number | undefined;
}

export function readWindow(page: string, params: URLSearchParams): WindowChoice {
  const [from, to] = [readTime(params, "from"), readTime(params, "to")];
  if (from !== undefined && to !== undefined && from < to) {
    return { fixed: { from, to }, preset: undefined, isLive: false, end: undefined };
  }
  const range = params.get("range") ?? "";
  const preset = Object.hasOwn(presets, range) ? (range as Preset) : fallbackOf(page);
  const isLive = params.get("live") !== "0";
  return { fixed: undefined, preset, isLive, end: isLive ? undefined : to };
}

const defaultPresets = signal<ReadonlyMap<string, Preset>>(new Map());

/** Sets the presets of pages that begin with another window than most. */
export function setDefaultPresets(presets: ReadonlyMap<string, Preset>): void {
  defaultPresets.value = presets;
}

function fallbackOf(page: string): Preset {
  return defaultPresets.value.get(page) ?? "15m";
}

/** Undefined if the parameter is not a valid time. */
function readTime(params: URLSearchParams, name: "from" | "to"): number | undefined {
  const text = params.get(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const choice = computed(() => readWindow(page.value, params.value));

/** The preset, or undefined for a window with fixed ends. */
export const preset = computed(() => choice.value.preset);

/** Whether the page follows the clock. */
export const isLive = computed(() => choice.value.isLive);

/** How often the window moves: about as often as its chart gets a new point. */
export const refreshMs = computed(() => {
  const length = preset.value === undefined ? day : presets[preset.value];
  return Math.min(minute, Math.max(5_000, length / 180));
});

const ticked = signal(Date.now());

/** Aligned to whole steps, so that all clients send the same request and the server can share the response. */
export const timeWindow = computed<TimeWindow>(() => {
  const { preset: name, fixed, end } = choice.value;
  if (name === undefined) return fixed!;
  const latest = Math.floor((ticked.value - countedMs) / refreshMs.value) * refreshMs.value;
  const to = end ?? latest;
  return { from: to - presets[name], to };
});

/** The window rounded to 15 seconds, for rare events that need not be reloaded with every step. */
export function roundWindow({ from, to }: TimeWindow): TimeWindow {
  const quarter = 15_000;
  const start = (time: number) => Math.floor(time / quarter) * quarter;
  // Both ends move at the same moment; rounding up would move this one a step later.
  return { from: start(from), to: start(to) + quarter };
}

/** The window for tables: while it is live, it moves every 15 seconds only. */
export const calmWindow = computed<TimeWindow>(() =>
  isLive.value ? roundWindow(timeWindow.value) : timeWindow.value,
);

/** The window as parameters of data routes, with the selected instance. */
export const windowParams = computed<Params>(() => ({
  from: timeWindow.value.from,
  to: timeWindow.value.to,
  instance: param("instance"),
}));

/** A paused window keeps its end. */
export function choosePreset(name: Preset): void {
  const isStopped = preset.value !== undefined && !isLive.value;
  const range = name === fallbackOf(page.value) ? undefined : name;
  setParams({ range, from: undefined, ...(!isStopped && { to: undefined }) });
}

export function chooseWindow({ from, to }: TimeWindow): void {
  const [start, end] = [Math.min(from, to), Math.max(from, to)].map(Math.round) as [number, number];
  // Keep the range for when the user returns to live mode.
  setParams({ live: undefined, from: start, to: Math.max(end, start + 1_000) });
}

/** Moves the window by a share of its length, but not into the future. */
export function shiftWindow(share: number): void {
  const { from, to } = timeWindow.value;
  const by = Math.min((to - from) * share, Math.max(0, Date.now() - to));
  chooseWindow({ from: from + by, to: to + by });
}

/** Pauses the window, with its end in the URL for sharing, or resumes live mode. */
export function setLive(live: boolean): void {
  if (live) ticked.value = Date.now();
  setParams(
    live ? { live: undefined, from: undefined, to: undefined } : { live: 0, to: timeWindow.value.to },
  );
}

/** After this time, the last second of a step has been counted. */
const countedMs = 1_100;
/** Random delay after each step, so that clients do not all send their requests at the same time. */
const ownDelayMs = Math.random() * 700;

function untilNext(): number {
  const step = refreshMs.value;
  return step - ((Date.now() - countedMs - ownDelayMs) % step);
}

/** Moves the window with the clock while the page is live and visible. */
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
