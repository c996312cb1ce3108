import { hrefTo, param } from "../../state/address.ts";
import type { ErrorSummary } from "./shapes.ts";

/** What is listed and in which order, as it stands in the address. */

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

/** Those that are wanted, the first of the order at the top. */
export function arrange(errors: readonly ErrorSummary[]): readonly ErrorSummary[] {
  const { value } = orders[chosenOrder()];
  return errors
    .filter(({ is_new }) => is_new || !isNewOnly())
    .sort((one, other) => value(other) - value(one));
}

/** The address of one kind of error, with the list behind it as it is. */
export function hrefOf(fingerprint: string): string {
  return hrefTo("errors", { q: param("q"), sort: param("sort"), new: param("new"), error: fingerprint });
}
