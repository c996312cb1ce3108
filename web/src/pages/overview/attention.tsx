import type { FullJobEntry } from "../../../../src/features/cron/wire.ts";
import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { formatCount } from "../../format/numbers.ts";
import { formatRoute } from "../../format/routes.ts";
import { hrefTo, param } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { calmWindow } from "../../state/time-window.ts";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { Ago, useNow } from "../../ui/time.tsx";
import { LongRequestList } from "./long-requests.tsx";

const shown = 6;
const lateMs = 90_000;

/** Errors, requests without a response, and jobs that failed or did not run. */
export function Attention() {
  const errors = useQuery("/_/_/data/errors", {
    ...calmWindow.value,
    instance: param("instance"),
    points: 40,
  });
  const jobs = useQuery("/_/_/data/cron/jobs?view=full", {}, { every: 15_000 });
  return (
    <Panel
      title="Needs attention"
      hint="Long-running requests, errors in this window, and jobs that failed or are late"
      actions={<a href={hrefTo("errors")}>All errors</a>}
    >
      <LongRequestList />
      <Loaded query={errors}>
        {({ errors: list, has_earlier }) => (
          <ErrorList errors={withoutJobs(list, jobs.data ?? [])} hasEarlier={has_earlier} />
        )}
      </Loaded>
      <Loaded query={jobs} lines={2}>
        {(list) => <JobList jobs={list} />}
      </Loaded>
    </Panel>
  );
}

function ErrorList({ errors, hasEarlier }: { errors: readonly ErrorSummary[]; hasEarlier: boolean }) {
  if (errors.length === 0) {
    return (
      <Empty icon="good" title="No errors in this window">
        Exceptions in handlers and failed jobs appear here, grouped by where they come from.
      </Empty>
    );
  }
  return (
    <ul class="attention divided">
      {newFirst(errors)
        .slice(0, shown)
        .map((error) => (
          <li key={error.fingerprint}>
            <a class="entry-link" href={hrefTo("errors", { error: error.fingerprint })}>
              <span class="medium">
                {hasEarlier && error.is_new && <Badge tone="bad">New</Badge>} {error.type} in{" "}
                <code>{formatRoute(error.origin)}</code>
              </span>
              <span class="hint ellipsis">{error.message}</span>
            </a>
            <span class="attention-spark wide-only">
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

/** A failed job is listed below, so its error is not listed as well. */
function withoutJobs(errors: readonly ErrorSummary[], jobs: readonly FullJobEntry[]): ErrorSummary[] {
  const failed = new Set(jobs.filter(hasFailed).map(({ id }) => id));
  return errors.filter((error) => error.routes.length > 0 || !error.jobs.every((job) => failed.has(job)));
}

const hasFailed = ({ last_status }: FullJobEntry) => last_status !== undefined && last_status !== "success";

function JobList({ jobs }: { jobs: readonly FullJobEntry[] }) {
  const now = useNow(10_000);
  const isLate = ({ next_run, paused }: FullJobEntry) =>
    !paused && next_run !== undefined && Date.parse(next_run) < now - lateMs;
  const troubled = jobs.filter((job) => hasFailed(job) || isLate(job));
  if (troubled.length === 0) return <p class="hint">No job is late, and every last run succeeded.</p>;
  return (
    <ul class="attention divided">
      {troubled.slice(0, shown).map((job) => (
        <li key={job.id}>
          <a class="entry-link" href={hrefTo("cron", { job: job.id })}>
            <span class="medium">{job.name}</span>
            <span class="hint ellipsis">Job {job.id}</span>
          </a>
          <Status tone={isLate(job) ? "warn" : "bad"}>{isLate(job) ? "late" : job.last_status}</Status>
          <span class="attention-count hint">{job.last_run && <Ago time={Date.parse(job.last_run)} />}</span>
        </li>
      ))}
    </ul>
  );
}
