/** The page at the base path. */
export const overviewAddress = "/_/_";

const maxLength = 4_000;

/** A page of the dashboard without the base path, with an optional query, in printable ASCII characters as browsers write them. */
const pattern = /^\/_\/_(?:\/([a-z][a-z0-9-]*))?(?:\?[!-"$-[\]-~]*)?$/;

/** An address of the dashboard. */
export interface DashboardAddress {
  readonly text: string;
  /** Undefined for the overview. */
  readonly page: string | undefined;
}

/** Returns undefined for anything that is not a page of the dashboard: other paths, other origins, scripts. */
export function parseAddress(text: unknown): DashboardAddress | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined;
  const match = pattern.exec(text);
  return match ? { text, page: match[1] } : undefined;
}
