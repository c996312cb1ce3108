import type { RequestEvent } from "../../http/index.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";

/** Lifetime and number of cached responses. */
const keptMs = 1_000;
const maxKept = 50;

export type ShareResponse = <Body extends object>(
  e: RequestEvent<never>,
  make: () => Promise<Body>,
) => Promise<unknown>;

/**
 * Several dashboards request the same period at the same time. The response is computed and serialized once for all of
 * them. Requests without an end time refer to the current moment and are not shared.
 */
export function createSharedResponses(clock: AlarmClock): ShareResponse {
  const kept = new Map<string, { readonly since: number; readonly body: Promise<Buffer> }>();

  function bodyFor(question: string, make: () => Promise<object>): Promise<Buffer> {
    const now = clock.elapsed();
    const known = kept.get(question);
    if (known && now - known.since < keptMs) return known.body;
    const body = make().then((response) => Buffer.from(JSON.stringify(response)));
    kept.delete(question);
    kept.set(question, { since: now, body });
    body.catch(() => kept.delete(question));
    // Removes expired responses, because they can be large.
    for (const [oldest, { since }] of kept)
      if (kept.size > maxKept || now - since >= keptMs) kept.delete(oldest);
    return body;
  }

  return async (e, make) => {
    if (!e.query("to")) return e.json(200, await make());
    const body = await bodyFor(e.url.pathname + e.url.search, make);
    return e.bytes(200, "application/json; charset=utf-8", body);
  };
}
