import type { Colour } from "./colours.ts";

interface MeterProps {
  /** From 0 to 1. */
  readonly ratio: number;
  readonly label: string;
  readonly colour?: Colour;
}

/** A ratio as a bar. */
export function Meter({ ratio, label, colour }: MeterProps) {
  const share = Math.min(1, Math.max(0, ratio));
  const tone = colour ?? (share > 0.95 ? "red" : share > 0.85 ? "amber" : "blue");
  return (
    <span class={`meter ${tone}`} role="img" aria-label={`${label}: ${Math.round(share * 100)} %`}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
