import type { Colour } from "./colours.ts";

/** A line without axes, next to its value. Screen readers get the value only. */
export function Sparkline({
  values,
  colour = "blue",
}: {
  values: readonly (number | null)[];
  colour?: Colour;
}) {
  const most = Math.max(...values.map((value) => value ?? 0), 0) || 1;
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => [round(index * step), round(28 - ((value ?? 0) / most) * 26)] as const,
  );
  const line = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  return (
    <svg class={`sparkline ${colour}`} viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && <path class="area" d={`${line}L100 30L0 30Z`} />}
      {points.length > 1 && <path class="line" d={line} />}
    </svg>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;
