/** Standard deviations of a normal distribution. One in 30,000 values is higher by chance. */
const z = 4;

/**
 * The lower end of the Wilson score interval: the true share is almost certainly above it. For few requests, it is much
 * lower than the measured share, so that a handful of failures proves nothing. The confidence is that high because each
 * route is tested thousands of times a day.
 */
export function lowestShare(hits: number, total: number): number {
  if (total === 0) return 0;
  const share = hits / total;
  const center = share + z ** 2 / (2 * total);
  const margin = z * Math.sqrt((share * (1 - share) + z ** 2 / (4 * total)) / total);
  return Math.max(0, (center - margin) / (1 + z ** 2 / total));
}

/** The requests of a part of a window, and how many of them were bad. */
export interface Part {
  readonly count: number;
  readonly bad: number;
}

const leastRequests = 20;
const leastBad = 5;
const leastBadParts = 3;
const mostCleanParts = 1;
/** A part with fewer requests can be clean by chance. */
const leastOfClean = 3;

/**
 * Whether certainly more than the allowed share of requests was bad, and not only for a short time: at most one part of
 * the window was clean.
 */
export function isPersistent(parts: readonly Part[], allowed: number): boolean {
  const count = sum(parts, (part) => part.count);
  const bad = sum(parts, (part) => part.bad);
  if (count < leastRequests || bad < leastBad || lowestShare(bad, count) <= allowed) return false;
  const badParts = parts.filter((part) => isBad(part, allowed)).length;
  const cleanParts = parts.filter((part) => part.count >= leastOfClean && !isBad(part, allowed)).length;
  return badParts >= leastBadParts && cleanParts <= mostCleanParts;
}

export function isBad({ count, bad }: Part, allowed: number): boolean {
  return bad > 0 && bad / count > allowed;
}

export function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
