import type { Marker } from "../data/markers.ts";
import { hrefHere } from "../state/address.ts";

/** Where a plot is within its chart, in pixels, and the times at its ends. */
export interface PlotPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

/** Names are shown if there is this much room. */
const labelWidth = 110;

/**
 * Flags at the top of a plot. They show what happened when the pointer is over them, and open the comparison of before
 * and after. With a keyboard, the time bar has the same links, once for all charts.
 */
export function MarkerFlags({
  markers,
  place,
}: {
  markers: readonly Marker[];
  place: PlotPlace | undefined;
}) {
  if (!place) return null;
  const { left, top, width, from, to } = place;
  const shown = markers
    .filter(({ at }) => at >= from && at <= to)
    .map((marker) => ({ ...marker, x: ((marker.at - from) / (to - from)) * width }));
  return (
    <div class="flags" style={{ left: `${left}px`, top: `${top}px`, width: `${width}px` }}>
      {shown.map(({ id, at, kind, label, text, x }, index) => {
        const room = (shown[index + 1]?.x ?? width) - x;
        return (
          <a
            key={id}
            class={`flag ${kind} ${x > width / 2 ? "leftwards" : ""}`}
            style={{ left: `${x}px` }}
            href={hrefHere({ changed: at })}
            tabIndex={-1}
          >
            {kind === "release" && label !== undefined && room >= labelWidth && (
              <span class="flag-label ellipsis">{label}</span>
            )}
            <span class="flag-text">{text}</span>
          </a>
        );
      })}
    </div>
  );
}
