import type { LongRequest } from "../../../../src/features/metrics/wire.ts";
import { formatSpan } from "../../format/numbers.ts";
import { formatRoute, unmatchedRoute } from "../../format/routes.ts";
import { hrefTo } from "../../state/address.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { liveLongRequests } from "../../state/fleet/members.ts";
import { Method, Status } from "../../ui/status.tsx";

const shown = 6;

/** Requests that have been in flight for a long time. */
export function LongRequestList() {
  const requests = liveLongRequests.value;
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="long-requests">
      <h3 id="long-requests">Long-running requests</h3>
      <ul class="attention divided">
        {requests.slice(0, shown).map((request) => (
          <LongRequestItem key={request.trace_id} {...request} />
        ))}
      </ul>
      {requests.length > shown && <p class="hint">and {requests.length - shown} more</p>}
    </section>
  );
}

function LongRequestItem(request: LongRequest & { readonly instance: string }) {
  const { trace_id, method, path, route, age_ms, phase, instance } = request;
  return (
    <li>
      <a class="entry-link" href={hrefTo("requests", { trace: trace_id })}>
        <span class="medium">
          <Method method={method} /> <code>{formatRoute(route ?? unmatchedRoute)}</code>
        </span>
        <span class="hint ellipsis">
          Trace {trace_id} · {path}
          {hasSeveral.value && ` · ${instance}`}
        </span>
      </a>
      <Status tone={phase === "handling" ? "warn" : "busy"}>
        {phase === "handling" ? "no response" : "receiving"} for {formatSpan(age_ms)}
      </Status>
    </li>
  );
}
