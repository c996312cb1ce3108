/** `4.2 %`. */
export function percent(share: number): string {
  const value = share * 100;
  return `${Number(value.toFixed(value >= 0.1 ? 1 : 2))} %`;
}

/** `60 ms`, `1.07 s`, `2 min`. */
export function duration(ms: number): string {
  if (ms >= 120_000) return `${Number((ms / 60_000).toPrecision(3))} min`;
  if (ms >= 1_000) return `${Number((ms / 1_000).toPrecision(3))} s`;
  return `${Number(ms.toPrecision(3))} ms`;
}

/** `15 times`, `2.3 times`. */
export function times(factor: number): string {
  return `${Number(factor.toFixed(factor >= 10 ? 0 : 1)).toLocaleString("en")} times`;
}

/** In decimal units: `1.24 GB`. */
export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${units[power]}`;
}
