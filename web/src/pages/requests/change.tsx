import { formatChange } from "../../format/numbers.ts";

interface ChangeProps {
  readonly now: number | undefined;
  readonly before: number | undefined;
  readonly isMoreWorse?: boolean;
}

/** Against the window before; nothing where there was none. */
export function Change({ now, before, isMoreWorse = false }: ChangeProps) {
  if (now === undefined || before === undefined) return null;
  const isWorse = isMoreWorse && before > 0 && now > before * 1.2;
  return <span class={`change ${isWorse ? "warn" : "quiet"}`}>{formatChange(now, before)}</span>;
}
