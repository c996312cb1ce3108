import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { hrefTo, param } from "../../state/address.ts";

/** The filter and the order of the list, stored in the URL. */

export const orders = {
  count: { label: "Count", title: "Most frequent first", value: ({ count }: ErrorSummary) => count },
  last: {
    label: "Last seen",
    title: "Most recent first",
    value: ({ last_seen }: ErrorSummary) => last_seen,
  },
  first: {
    label: "First seen",
    title: "Newest kind first",
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
