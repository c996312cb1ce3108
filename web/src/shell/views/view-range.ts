import { formatMoment } from "../../format/times.ts";
import { presets, readWindow } from "../../state/time-window.ts";

/** The time range of an address in words. A relative range follows the clock when the view is opened. */
export function describeRange(page: string, params: URLSearchParams): { text: string; isRelative: boolean } {
  const { fixed, preset, end } = readWindow(page, params);
  if (fixed) return { text: formatRange(fixed.from, fixed.to), isRelative: false };
  if (end !== undefined) return { text: formatRange(end - presets[preset!], end), isRelative: false };
  return { text: `last ${preset}`, isRelative: true };
}

const formatRange = (from: number, to: number) => `${formatMoment(from)} – ${formatMoment(to)}`;
