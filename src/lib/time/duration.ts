/**
 * Formats a duration for request records: a number with at most two decimals and its unit. Uses integer arithmetic,
 * because rounding decimals would cost more than the rest of a record.
 */
export function formatDuration(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000);
  if (microseconds < 1000) return `${microseconds}µs`;
  const hundredths = Math.round(microseconds / 10);
  if (hundredths < 100_000) return `${withDecimals(hundredths)}ms`;
  return `${withDecimals(Math.round(microseconds / 10_000), true)}s`;
}

function withDecimals(hundredths: number, keepZeros = false): string {
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths - whole * 100;
  if (!keepZeros && rest % 10 === 0) return rest === 0 ? `${whole}` : `${whole}.${rest / 10}`;
  return `${whole}.${rest < 10 ? "0" : ""}${rest}`;
}

/** Formats a long duration in its two largest units: `3d4h`, `12m5s`, `42s`. */
export function formatUptime(milliseconds: number): string {
  let rest = Math.max(0, Math.floor(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of [
    ["d", 86_400],
    ["h", 3_600],
    ["m", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join("") || "0s";
}
