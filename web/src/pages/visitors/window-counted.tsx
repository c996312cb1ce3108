import type { Visits } from "../../../../src/features/visitors/wire.ts";
import { formatMinute, formatMoment } from "../../format/times.ts";
import { choosePreset, presets, timeWindow } from "../../state/time-window.ts";

/** Views are stored by hour, so the counted window is longer than the requested one. This note shows it. */
export function WindowCounted({ visits }: { visits: Visits }) {
  const [from, to] = [Date.parse(visits.from), Date.parse(visits.to)];
  const { from: asked, to: end } = timeWindow.value;
  const isShort = end - asked < presets["24h"];
  return (
    <p class="visit-window cluster hint push">
      Counted in whole hours: {formatMoment(from)} –{" "}
      {to - from < presets["24h"] ? formatMinute(to) : formatMoment(to)}
      {isShort && (
        <button type="button" class="link-button" onClick={() => choosePreset("24h")}>
          Show 24 hours
        </button>
      )}
    </p>
  );
}
