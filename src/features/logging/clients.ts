import type { TimeWindow } from "../../lib/time/time-window.ts";
import type { Search } from "./files.ts";
import { maxLimit } from "./store/search/query.ts";
import { requestEvent } from "./store/search/request-filters.ts";
import type { ClientCounts } from "./wire.ts";

/** More requests than this are not counted, because each record has to be read. */
const maxPages = 10;
const listed = 100;

/**
 * Counts the logged requests of each client in a period, newest first. Default: on all instances. If a share of the
 * requests was logged, the numbers are extrapolated.
 */
export async function countClients(
  search: Search,
  { from, to }: TimeWindow,
  instance?: string,
): Promise<ClientCounts> {
  const counts = new Map<string, number>();
  let cursor: string | undefined;
  let counted = 0;
  for (let page = 0; page < maxPages; page++) {
    // The end of a search is inclusive.
    const query = { from, to: to - 1, instance, event: requestEvent, limit: maxLimit, cursor };
    const { items, cursor: next } = await search(query);
    for (const { ip, sample } of items) {
      if (typeof ip !== "string") continue;
      const requests = typeof sample === "number" ? 1 / sample : 1;
      counts.set(ip, (counts.get(ip) ?? 0) + requests);
      counted += requests;
    }
    cursor = next;
    if (cursor === undefined) break;
  }
  const clients = [...counts]
    .map(([ip, count]) => ({ ip, count: Math.round(count) }))
    .sort((one, other) => other.count - one.count)
    .slice(0, listed);
  return { from, to, counted: Math.round(counted), complete: cursor === undefined, clients };
}
