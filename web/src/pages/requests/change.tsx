import { formatChange } from "../../format/numbers.ts";

interface ChangeProps {
  readonly now: number | undefined;
  readonly before: number | undefined;
  readonly isMoreWorse?: boolean;
}

/** The change since the preceding window; empty if there is no value to compare. */
export function Change({ now, before, isMoreWorse = false }: ChangeProps) {
  if (now === undefined || before === undefined) return null;
  const isWorse = isMoreWorse && before > 0 && now > before * 1.2;
  return <span class={`small ${isWorse ? "warn" : "quiet"}`}>{formatChange(now, before)}</span>;
}
