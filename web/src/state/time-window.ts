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

/** The preset, or undefined for a window with fixed ends. */
export const preset = computed<Preset | undefined>(() => {
  if (param("from") !== undefined && param("to") !== undefined) return undefined;
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
  if (name === undefined) return { from: Number(param("from")), to: Number(param("to")) };
  const to = Math.floor((ticked.value - countedMs) / refreshMs.value) * refreshMs.value;
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

export function choosePreset(name: Preset): void {
  setParams({ range: name === fallback ? undefined : name, from: undefined, to: undefined });
}

export function chooseWindow({ from, to }: TimeWindow): void {
  const [start, end] = [Math.min(from, to), Math.max(from, to)].map(Math.round) as [number, number];
  setParams({ range: undefined, from: start, to: Math.max(end, start + 1_000) });
}

/** Stops where it is, or follows the clock again. */
export function setLive(live: boolean): void {
  if (live) ticked.value = Date.now();
  setParams({ live: live ? undefined : 0, ...(live && { from: undefined, to: undefined }) });
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
