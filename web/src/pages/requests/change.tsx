import type { RouteStats } from "../../../../src/features/metrics/wire.ts";
import { failedShare } from "../../charts/request-lines.ts";
import { formatChange, formatPercent } from "../../format/numbers.ts";

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

/** The share of errors in the preceding window, if it differs noticeably. */
export function ErrorChange({ route }: { route: RouteStats }) {
  const { previous_count: count, previous_status_5xx: status_5xx } = route;
  if (!count || status_5xx === undefined) return null;
  const before = failedShare({ count, status_5xx });
  const now = failedShare(route);
  if (Math.abs(now - before) < 0.001) return null;
  return <span class={`small ${now > before ? "warn" : "quiet"}`}>{formatPercent(before)} before</span>;
}
