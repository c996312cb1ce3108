import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Marker } from "../data/markers.ts";
import { MarkerFlags } from "./marker-flags.tsx";

interface TimeMarkersProps {
  readonly markers: readonly Marker[];
  /** The times at both ends of the element that the markers cover. */
  readonly from: number;
  readonly to: number;
}

/** Markers for a time axis that is not a plot: a line each, with a flag at its top. It covers its positioned parent. */
export function TimeMarkers({ markers, from, to }: TimeMarkersProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current!;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return (
    <div class="time-markers" ref={box}>
      {markers.map(({ id, kind, at }) => (
        <span
          key={id}
          class={`marker-line ${kind}`}
          style={{ left: `${((at - from) / (to - from)) * 100}%` }}
        />
      ))}
      <MarkerFlags markers={markers} place={width > 0 ? { left: 0, top: 0, width, from, to } : undefined} />
    </div>
  );
}
