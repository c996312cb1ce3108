/** Number formats: three significant digits, followed by the unit. */

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** 1,234 and then 12.3K. */
export function formatCount(value: number): string {
  return Math.abs(value) < 10_000 ? plain.format(value) : short.format(value);
}

export function formatWhole(value: number): string {
  return plain.format(value);
}

/** Three significant digits, without trailing zeros. */
export function formatNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10_000) return short.format(value);
  if (size >= 100) return plain.format(value);
  return String(Number(value.toPrecision(size < 0.1 ? 1 : size < 10 ? 2 : 3)));
}

export function formatRate(perSecond: number): string {
  return formatNumber(perSecond);
}

export function formatPercent(ratio: number): string {
  const percent = ratio * 100;
  if (percent === 0) return "0 %";
  if (percent < 0.1) return "<0.1 %";
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** 850 µs, 12.3 ms, 1.2 s, 3 min. */
export function formatMs(milliseconds: number): string {
  if (milliseconds === 0) return "0 ms";
  if (milliseconds < 1) return `${Math.round(milliseconds * 1_000)} µs`;
  if (milliseconds < 1_000) return `${formatNumber(milliseconds)} ms`;
  if (milliseconds < 60_000)
    return `${Number((milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1))} s`;
  return formatSpan(milliseconds);
}

/** 45 s, 12 min, 3 h 5 min, 6 d 4 h. */
export function formatSpan(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1_000));
  const [days, hours, minutes, rest] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3_600) % 24,
    Math.floor(total / 60) % 60,
    total % 60,
  ] as const;
  if (days > 0) return hours > 0 && days < 10 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 && minutes < 10 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}

/** The unit of a rate: minute, hour, day, or 10 s. */
export function formatStep(milliseconds: number): string {
  const names = new Map([
    [1_000, "second"],
    [60_000, "minute"],
    [3_600_000, "hour"],
    [86_400_000, "day"],
  ]);
  return names.get(milliseconds) ?? formatSpan(milliseconds);
}

const units = ["B", "KB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1_000 ** power)} ${units[power]}`;
}

/** +12 %, −3 %, and words for changes that a percentage does not describe well. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return now === 0 ? "no change" : "new";
  const ratio = now / before - 1;
  if (Math.abs(ratio) < 0.005) return "no change";
  if (ratio > 9) return `×${formatNumber(now / before)}`;
  return `${ratio > 0 ? "+" : "−"}${Math.abs(Math.round(ratio * 100))} %`;
}
