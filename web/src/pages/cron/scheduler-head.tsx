import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatCount, formatSpan } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { lazily } from "../../ui/lazy.tsx";
import { Status } from "../../ui/status.tsx";
import { isFailing } from "./job-filter.ts";
import type { Job, JobList } from "./shapes.ts";

const TimezoneDialog = lazily(async () => (await import("./timezone-dialog.tsx")).TimezoneDialog, null);

/** The status of the scheduler in one line. */
export function SchedulerHead({ list, onChange }: { list: JobList; onChange(): void }) {
  const { status, jobs } = list;
  return (
    <dl class="cron-head">
      <Figure
        name="Scheduler"
        note={status.running ? `for ${formatSpan(status.uptime_seconds * 1_000)}` : "no job runs on schedule"}
      >
        {status.running ? <Status tone="good">Running</Status> : <Status tone="bad">Stopped</Status>}
      </Figure>
      <NextRun jobs={jobs} />
      <SuccessRate list={list} />
      <Figure name="Jobs" note={countStates(jobs)}>
        {formatCount(status.jobs_count)}
      </Figure>
      <Zone timezone={status.timezone} onChange={onChange} />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly note?: ComponentChildren;
}

function Figure({ name, children, note }: FigureProps) {
  return (
    <div class="cron-figure">
      <dt>{name}</dt>
      <dd class="cron-value">{children}</dd>
      {note && <dd class="hint">{note}</dd>}
    </div>
  );
}

function NextRun({ jobs }: { jobs: readonly Job[] }) {
  const [next] = jobs
    .filter(({ next_run, removed }) => next_run !== undefined && !removed)
    .sort((one, other) => one.next_run! - other.next_run!);
  if (!next) return <Figure name="Next run">None planned</Figure>;
  return (
    <Figure name="Next run" note={<a href={hrefTo("cron", { job: next.id })}>{next.name}</a>}>
      <Countdown time={next.next_run!} />
    </Figure>
  );
}

function SuccessRate({ list: { analytics } }: { list: JobList }) {
  const { total_executions: total, failed_count: failed, success_rate: rate } = analytics;
  if (total === 0) {
    return (
      <Figure name="Success rate" note="no run has ended yet">
        –
      </Figure>
    );
  }
  const tone = rate >= 99 ? "good" : rate >= 90 ? "warn" : "bad";
  return (
    <Figure name="Success rate" note={`${formatCount(failed)} of ${formatCount(total)} runs failed`}>
      <Status tone={tone}>{rate} %</Status>
    </Figure>
  );
}

function countStates(jobs: readonly Job[]): string {
  const current = jobs.filter(({ removed }) => !removed);
  const count = (word: string, isSo: (job: Job) => boolean) => {
    const found = current.filter(isSo).length;
    return found === 0 ? [] : [`${found} ${word}`];
  };
  const told = [
    ...count("failing", isFailing),
    ...count("running", ({ running }) => running.length > 0),
    ...count("paused", ({ paused }) => paused),
  ];
  return told.length === 0 ? "none failing or paused" : told.join(", ");
}

function Zone({ timezone, onChange }: { timezone: string; onChange(): void }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div class="cron-figure">
      <dt>Time zone</dt>
      <dd class="cron-value cron-zone">{timezone}</dd>
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
