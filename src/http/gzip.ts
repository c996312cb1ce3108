/** Whether a client accepts gzip, by its Accept-Encoding header. */
export function acceptsGzip(header: string | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(header ?? "");
}

/** Smaller responses fit in one packet anyway. */
export const leastCompressed = 1_024;
