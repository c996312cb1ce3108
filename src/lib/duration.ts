/** A duration as the request records write it: a number of at most two decimals with its unit. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)}µs`;
  if (milliseconds < 1000) return `${Number(milliseconds.toFixed(2))}ms`;
  return `${(milliseconds / 1000).toFixed(2)}s`;
}

/** A longer stretch in the two largest units that say something: `3d4h`, `12m5s`, `42s`. */
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
