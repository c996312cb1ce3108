import type { Run } from "../../../src/features/cron/wire.ts";
import type { ConcurrentRequest, RequestDetail } from "../../../src/features/metrics/wire.ts";
import { redacted } from "../data/redacted.ts";
import { formatMs } from "../format/numbers.ts";
import { hrefTo } from "../state/address.ts";
import { Method, Status, StatusCode, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import type { Header } from "./curl.ts";

const tones: Readonly<Record<string, Tone>> = {
  success: "good",
  running: "busy",
  cancelled: "warn",
  skipped: "quiet",
};

/** Job runs that the request started. */
export function RunsPart({ runs }: { runs: readonly Run[] }) {
  if (runs.length === 0) return null;
  return (
    <section>
      <h3>Jobs it started</h3>
      <ul class="trace-list runs divided">
        {runs.map((run) => (
          <li key={run.id}>
            <a href={hrefTo("cron", { job: run.job_id, run: run.id })}>{run.job_name}</a>
            <Status tone={tones[run.status] ?? "bad"}>{run.status}</Status>
            <span class="hint">
              {run.duration_ms === undefined ? (
                <Ago time={Date.parse(run.start_time)} />
              ) : (
                formatMs(run.duration_ms)
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FlightPartProps {
  readonly others: readonly ConcurrentRequest[];
  readonly request: RequestDetail;
  hrefOf(trace: string): string;
}

/** Requests that were in flight at the same time. */
export function FlightPart({ others, request, hrefOf }: FlightPartProps) {
  return (
    <section>
      <h3>
        In flight at the same time <span class="hint">{others.length > 0 && others.length}</span>
      </h3>
      {others.length === 0 && <p class="hint">No other known requests.</p>}
      <ul class="trace-list divided">
        {others.map((other) => (
          <li key={other.trace_id}>
            <StatusCode status={other.status} />
            <a href={hrefOf(other.trace_id)}>
              <Method method={other.method} /> <span class="mono">{other.path}</span>
            </a>
            <span class="hint">
              {formatMs(other.duration_ms)}, began {describeDistance(other.started_at - request.started_at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeDistance(milliseconds: number): string {
  if (milliseconds === 0) return "at the same moment";
  return `${formatMs(Math.abs(milliseconds))} ${milliseconds < 0 ? "earlier" : "later"}`;
}

export function HeadersPart({ headers }: { headers: readonly Header[] }) {
  return (
    <section>
      <h3>
        Headers <span class="hint">secrets redacted</span>
      </h3>
      <dl class="facts mono small">
        {headers.map(({ name, value }, index) => (
          <div key={`${name}-${index}`}>
            <dt>{name}</dt>
            <dd class={value.includes(redacted) ? "quiet" : ""}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
