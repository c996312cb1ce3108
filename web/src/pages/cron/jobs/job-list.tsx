import { useState } from "preact/hooks";
import type { Job, JobList as List } from "../../../../../src/features/cron/wire.ts";
import { formatWhole } from "../../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../../state/address.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Countdown } from "../../../ui/countdown.tsx";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Badge } from "../../../ui/status.tsx";
import { Ago } from "../../../ui/time.tsx";
import { RunStrip } from "../runs/run-strip.tsx";
import { RunState } from "../statuses.tsx";
import { DurationTrend } from "./duration-trend.tsx";
import { JobButtons } from "./job-buttons.tsx";
import { type Filter, filters, findJobs, fits, type Order, orders, sortJobs } from "./job-filter.ts";
import { RunningState } from "./running-state.tsx";

const orderWords: Readonly<Record<Order, string>> = {
  attention: "Needs attention first",
  next: "Next to run first",
  name: "By name",
  last: "Latest run first",
  slowest: "Slowest first",
  failures: "Most failures first",
};

const pageSize = 100;

interface JobListProps {
  readonly list: List;
  onChange(): void;
}

/** All jobs, with removed jobs in a separate list. */
export function JobList({ list, onChange }: JobListProps) {
  const filter = oneOf(filters, param("show"));
  const order = oneOf(orders, param("sort"));
  const found = sortJobs(findJobs(list.jobs, param("q") ?? ""), order);
  const shown = found.filter(fits[filter]);
  const removed = filter === "all" ? found.filter(fits.removed) : [];
  return (
    <>
      <Panel title={filter === "removed" ? "Removed jobs" : "Jobs"} class="cron-jobs">
        <Tools jobs={list.jobs} filter={filter} order={order} />
        {list.truncated && (
          <p class="hint">
            Only the first {formatWhole(list.jobs.length)} jobs are listed and counted here. Search by name or
            ID to find the others.
          </p>
        )}
        <JobTable jobs={shown} filter={filter} onChange={onChange} />
      </Panel>
      {removed.length > 0 && (
        <Panel title="Removed jobs" hint="They do not run until they are restored" class="cron-jobs">
          <JobTable jobs={removed} filter="removed" onChange={onChange} />
        </Panel>
      )}
    </>
  );
}

function oneOf<Value extends string>(values: readonly [Value, ...Value[]], text: string | undefined): Value {
  return values.find((value) => value === text) ?? values[0];
}

function capitalize(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

function Tools({ jobs, filter, order }: { jobs: readonly Job[]; filter: Filter; order: Order }) {
  const options = filters.map((value) => ({
    value,
    label: (
      <>
        {capitalize(value)} <span class="count">{jobs.filter(fits[value]).length}</span>
      </>
    ),
  }));
  return (
    <div class="toolbar">
      <Choice
        name="Which jobs"
        value={filter}
        options={options}
        onChoose={(value) => setParams({ show: value === "all" ? undefined : value })}
      />
      <input
        class="push"
        type="search"
        data-search
        aria-label="Search the jobs"
        placeholder="Search the jobs  ( / )"
        value={param("q") ?? ""}
        onInput={(event) => setParams({ q: event.currentTarget.value }, { replace: true })}
      />
      <select
        aria-label="Order"
        value={order}
        onChange={(event) => setParams({ sort: event.currentTarget.value }, { replace: true })}
      >
        {orders.map((value) => (
          <option key={value} value={value}>
            {orderWords[value]}
          </option>
        ))}
      </select>
    </div>
  );
}

interface JobTableProps {
  readonly jobs: readonly Job[];
  readonly filter: Filter;
  onChange(): void;
}

function JobTable({ jobs, filter, onChange }: JobTableProps) {
  const [most, setMost] = useState(pageSize);
  return (
    <>
      <Table
        caption={filter === "removed" ? "Removed jobs" : "Jobs"}
        columns={columnsFor(onChange)}
        rows={jobs.slice(0, most)}
        keyOf={({ id }) => id}
        empty={<NoJobs filter={filter} />}
        classOf={(job) => (job.paused ? "is-paused" : "")}
      />
      {jobs.length > most && (
        <Button onClick={() => setMost(most + pageSize)}>
          Show {Math.min(pageSize, jobs.length - most)} more of {jobs.length}
        </Button>
      )}
    </>
  );
}

function NoJobs({ filter }: { filter: Filter }) {
  if (param("q")) {
    return (
      <Empty icon="search" title="No job matches">
        The search covers names, descriptions, IDs and schedules.
      </Empty>
    );
  }
  if (filter === "all") {
    return (
      <Empty icon="cron" title="No jobs yet">
        Jobs that the application registers with <code>app.jobs.registerJob</code> appear here.
      </Empty>
    );
  }
  const words = {
    failing: "No job is failing: the last run of each succeeded.",
    running: "No job is running at the moment.",
    paused: "No job is paused.",
    removed: "No job has been removed.",
  };
  return <Empty icon="good" title={words[filter]} />;
}

function columnsFor(onChange: () => void): Column<Job>[] {
  return [
    { name: "job", label: "Job", isHead: true, cell: (job) => <Name job={job} /> },
    {
      name: "schedule",
      label: "Schedule",
      cell: ({ schedule, schedule_words }) => (
        <span class="stack gap-0">
          {schedule_words !== schedule && capitalize(schedule_words)}
          <code class="hint">{schedule}</code>
        </span>
      ),
    },
    { name: "next", label: "Next run", cell: (job) => <Next job={job} /> },
    {
      name: "runs",
      label: "Last 30 runs",
      dropsBelow: 960,
      cell: ({ recent }) => <RunStrip runs={recent} />,
    },
    { name: "p95", label: "p95", dropsBelow: 1200, cell: (job) => <DurationTrend job={job} /> },
    { name: "last", label: "Last run", cell: (job) => <Last job={job} /> },
    { name: "actions", label: "Actions", cell: (job) => <JobButtons job={job} onChange={onChange} /> },
  ];
}

function Name({ job: { id, name, description, is_system } }: { job: Job }) {
  return (
    <span class="stack gap-0">
      <span class="clamp" title={name}>
        <a class="job-name plain-link strong" href={hrefTo("cron", { job: id })}>
          {name}
        </a>{" "}
        {is_system && <Badge>System</Badge>}
      </span>
      {description && (
        <span class="hint clamp" title={description}>
          {description}
        </span>
      )}
    </span>
  );
}

function Next({ job }: { job: Job }) {
  if (job.removed) return <Since word="Removed" time={job.removed_at} actor={job.removed_by} />;
  if (job.paused) return <Since word="Paused" time={job.paused_at} actor={job.paused_by} />;
  return job.next_run === undefined ? <span class="quiet">–</span> : <Countdown time={job.next_run} />;
}

interface SinceProps {
  readonly word: string;
  readonly time: number | undefined;
  readonly actor: string | undefined;
}

function Since({ word, time, actor }: SinceProps) {
  return (
    <span class="stack gap-0">
      <Badge tone="warn">{word}</Badge>
      <span class="hint">
        {time !== undefined && <Ago time={time} />}
        {actor && ` by ${actor}`}
      </span>
    </span>
  );
}

/** When the last run ended. If its duration is not known, when it started. */
function endOf({ recent: [last], last_run }: Job): number | undefined {
  return last ? last.start_time + last.duration_ms : last_run;
}

function Last({ job }: { job: Job }) {
  const [running] = job.running;
  if (running) return <RunningState job={job} />;
  if (job.last_status === undefined) return <span class="quiet">Never ran</span>;
  const [last] = job.recent;
  const state = <RunState status={job.last_status} />;
  return (
    <span class="stack gap-0">
      {last ? (
        <a class="plain-link" href={hrefTo("cron", { job: job.id, run: last.id })}>
          {state}
        </a>
      ) : (
        state
      )}
      <span class="hint">{endOf(job) !== undefined && <Ago time={endOf(job)!} />}</span>
    </span>
  );
}
