import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Job, JobList } from "../../../../src/features/cron/wire.ts";
import { formatCount, formatSpan } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { lazily } from "../../ui/feedback/lazy.tsx";
import { Status } from "../../ui/status.tsx";
import { isFailing } from "./jobs/job-filter.ts";

const TimezoneDialog = lazily(async () => (await import("./timezone-dialog.tsx")).TimezoneDialog, null);

/** The status of the scheduler in one line. */
export function SchedulerHead({ list, onChange }: { list: JobList; onChange(): void }) {
  const { status, jobs } = list;
  return (
    <dl class="cron-head card columns five">
      <Metric
        name="Scheduler"
        note={status.running ? `for ${formatSpan(status.uptime_seconds * 1_000)}` : "no job runs on schedule"}
      >
        {status.running ? <Status tone="good">Running</Status> : <Status tone="bad">Stopped</Status>}
      </Metric>
      <NextRun jobs={jobs} />
      <SuccessRate list={list} />
      <Metric name="Jobs" note={countStates(jobs)}>
        {formatCount(status.jobs_count)}
      </Metric>
      <Zone timezone={status.timezone} onChange={onChange} />
    </dl>
  );
}

interface MetricProps {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly note?: ComponentChildren;
}

function Metric({ name, children, note }: MetricProps) {
  return (
    <div class="cron-stat stack gap-1">
      <dt class="hint medium">{name}</dt>
      <dd class="metric">{children}</dd>
      {note && <dd class="hint">{note}</dd>}
    </div>
  );
}

function NextRun({ jobs }: { jobs: readonly Job[] }) {
  const [next] = jobs
    .filter(({ next_run, removed }) => next_run !== undefined && !removed)
    .sort((one, other) => one.next_run! - other.next_run!);
  if (!next) return <Metric name="Next run">None planned</Metric>;
  return (
    <Metric name="Next run" note={<a href={hrefTo("cron", { job: next.id })}>{next.name}</a>}>
      <Countdown time={next.next_run!} />
    </Metric>
  );
}

function SuccessRate({ list: { analytics } }: { list: JobList }) {
  const { total_executions: total, failed_count: failed, success_rate: rate } = analytics;
  if (total === 0) {
    return (
      <Metric name="Success rate" note="no run has ended yet">
        –
      </Metric>
    );
  }
  const tone = rate >= 99 ? "good" : rate >= 90 ? "warn" : "bad";
  return (
    <Metric name="Success rate" note={`${formatCount(failed)} of ${formatCount(total)} stored runs failed`}>
      <Status tone={tone}>{rate} %</Status>
    </Metric>
  );
}

function countStates(jobs: readonly Job[]): string {
  const current = jobs.filter(({ removed }) => !removed);
  const count = (word: string, isSo: (job: Job) => boolean) => {
    const found = current.filter(isSo).length;
    return found === 0 ? [] : [`${found} ${word}`];
  };
  const notes = [
    ...count("failing", isFailing),
    ...count("running", ({ running }) => running.length > 0),
    ...count("paused", ({ paused }) => paused),
  ];
  return notes.length === 0 ? "none failing or paused" : notes.join(", ");
}

function Zone({ timezone, onChange }: { timezone: string; onChange(): void }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div class="cron-stat stack gap-1">
      <dt class="hint medium">Time zone</dt>
      <dd class="metric cron-zone">{timezone}</dd>
      <dd>
        <Button class="link-button" onClick={() => setChanging(true)} aria-label="Change the time zone…">
          Change…
        </Button>
        {isChanging && (
          <TimezoneDialog current={timezone} onClose={() => setChanging(false)} onChanged={onChange} />
        )}
      </dd>
    </div>
  );
}
