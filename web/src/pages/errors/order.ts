import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { hrefTo, param } from "../../state/address.ts";

/** The filter and the order of the list, stored in the URL. */

/**
 * How much more often an error occurred than in the preceding window, in standard deviations of such a difference.
 * Undefined without data from before.
 */
export function riseOf({ count, previous_count: before }: ErrorSummary): number | undefined {
  return before === undefined ? undefined : (count - before) / Math.sqrt(Math.max(1, count + before));
}

/** Smaller differences are mostly chance. */
const leastRise = 4;

export function isRising(error: ErrorSummary): boolean {
  return (riseOf(error) ?? 0) >= leastRise && error.count >= 1.5 * (error.previous_count ?? 0);
}

export const orders = {
  count: { label: "Count", title: "Most frequent first", value: ({ count }: ErrorSummary) => count },
  rising: {
    label: "Rising",
    title: "Largest increase since the previous window first",
    value: (error: ErrorSummary) => riseOf(error) ?? 0,
  },
  last: {
    label: "Last seen",
    title: "Most recent first",
    value: ({ last_seen }: ErrorSummary) => last_seen,
  },
  first: {
    label: "First seen",
    title: "Newest first",
    value: ({ first_seen }: ErrorSummary) => first_seen,
  },
} as const;

export type Order = keyof typeof orders;

export function chosenOrder(): Order {
  const name = param("sort") as Order | undefined;
  return name !== undefined && Object.hasOwn(orders, name) ? name : "count";
}

export function isNewOnly(): boolean {
  return param("new") === "1";
}

/** Filters and sorts the errors. */
export function arrange(errors: readonly ErrorSummary[]): readonly ErrorSummary[] {
  const { value } = orders[chosenOrder()];
  return errors
    .filter(({ is_new }) => is_new || !isNewOnly())
    .sort((one, other) => value(other) - value(one));
}

/** The URL of one error group, keeping the list's filters. */
export function hrefOf(fingerprint: string): string {
  return hrefTo("errors", { q: param("q"), sort: param("sort"), new: param("new"), error: fingerprint });
}
