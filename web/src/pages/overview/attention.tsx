import { Sparkline } from "../../charts/sparkline.tsx";
import { useQuery } from "../../data/query.ts";
import { formatCount } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { windowParams } from "../../state/time-window.ts";
import { Empty, Loaded } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { Ago, useNow } from "../../ui/time.tsx";
import { LongRequestList } from "./long-requests.tsx";

interface ErrorSummary {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  /** In the window, in total and over time. */
  readonly count: number;
  readonly series: readonly number[];
  readonly last_seen: number;
  readonly is_new: boolean;
  /** The route or job of the error. */
  readonly origin: string;
}

interface Job {
  readonly id: string;
  readonly name: string;
  readonly paused?: boolean;
  readonly next_run?: string;
  readonly last_run?: string;
  readonly last_status?: string;
}

const shown = 6;
const lateMs = 90_000;

/** Errors, requests without a response, and jobs that failed or did not run. */
export function Attention() {
  const errors = useQuery<{ errors: readonly ErrorSummary[] }>("/_/_/data/errors", {
    ...windowParams.value,
    points: 40,
  });
  const jobs = useQuery<readonly Job[]>("/_/_/data/cron/jobs?view=full", {}, { every: 15_000 });
  return (
    <Panel
      title="Needs attention"
      hint="Long-running requests, errors in this window, and jobs that failed or are late"
      actions={<a href={hrefTo("errors")}>All errors</a>}
    >
      <LongRequestList />
      <Loaded query={errors}>{({ errors: list }) => <ErrorList errors={list} />}</Loaded>
      <Loaded query={jobs} lines={2}>
        {(list) => <JobList jobs={list} />}
      </Loaded>
    </Panel>
  );
}

function ErrorList({ errors }: { errors: readonly ErrorSummary[] }) {
  if (errors.length === 0) {
    return (
      <Empty icon="good" title="No errors in this window">
        Exceptions in handlers and failed jobs appear here, grouped by where they come from.
      </Empty>
    );
  }
  return (
    <ul class="attention">
      {newFirst(errors)
        .slice(0, shown)
        .map((error) => (
          <li key={error.fingerprint}>
            <a href={hrefTo("errors", { error: error.fingerprint })}>
              <span class="attention-title">
                {error.is_new && <Badge tone="bad">New</Badge>} {error.type} in <code>{error.origin}</code>
              </span>
              <span class="hint attention-message">{error.message}</span>
            </a>
            <span class="attention-spark">
              <Sparkline values={error.series} colour="red" />
            </span>
            <span class="attention-count">
              ×{formatCount(error.count)}
              <span class="hint">
                <Ago time={error.last_seen} />
              </span>
            </span>
          </li>
        ))}
    </ul>
  );
}

/**
 * New errors first, because they usually indicate an incident; otherwise in the server's order, most frequent first.
 */
function newFirst(errors: readonly ErrorSummary[]): ErrorSummary[] {
  return [...errors].sort((one, other) => Number(other.is_new) - Number(one.is_new));
}

function JobList({ jobs }: { jobs: readonly Job[] }) {
  const now = useNow(10_000);
  const isLate = ({ next_run, paused }: Job) =>
    !paused && next_run !== undefined && Date.parse(next_run) < now - lateMs;
  const hasFailed = ({ last_status }: Job) => last_status !== undefined && last_status !== "success";
  const troubled = jobs.filter((job) => hasFailed(job) || isLate(job));
  if (troubled.length === 0) return <p class="hint">No job is late, and every last run succeeded.</p>;
  return (
    <ul class="attention">
      {troubled.slice(0, shown).map((job) => (
        <li key={job.id}>
          <a href={hrefTo("cron", { job: job.id })}>
            <span class="attention-title">{job.name}</span>
            <span class="hint attention-message">Job {job.id}</span>
          </a>
          <Status tone={isLate(job) ? "warn" : "bad"}>{isLate(job) ? "late" : job.last_status}</Status>
          <span class="attention-count hint">{job.last_run && <Ago time={Date.parse(job.last_run)} />}</span>
        </li>
      ))}
    </ul>
  );
}
