import type { Job, Run } from "../../../../../src/features/cron/wire.ts";
import { downloadCsv } from "../../../data/csv.ts";
import { toFileName } from "../../../data/download.ts";
import { formatMs } from "../../../format/numbers.ts";
import { formatClock, formatDay } from "../../../format/times.ts";
import { hrefTo, param, setParams } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Pager } from "../../../ui/controls/pager.tsx";
import { Elapsed } from "../../../ui/countdown.tsx";
import { Empty, Loaded } from "../../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Moment } from "../../../ui/time.tsx";
import { describeTrigger, RunState } from "../statuses.tsx";
import { useReload } from "../use-reload.ts";

const perPage = 20;
const troubles = "failed,timeout,interrupted";

const kinds = [
  { value: "all", label: "All" },
  { value: "troubled", label: "Unsuccessful" },
  { value: "manual", label: "Manual" },
] as const;

const orders = [
  { value: "newest", label: "Newest" },
  { value: "slowest", label: "Slowest" },
] as const;

/** All stored runs of a job. */
export function RunsTable({ job }: { job: Job }) {
  const page = Math.max(1, Math.floor(Number(param("page")) || 1));
  const kind = param("runs") ?? "all";
  const isSlowest = param("order") === "slowest";
  const query = useQuery("/_/_/data/cron/logs/{job_id}?view=full", {
    job_id: job.id,
    page,
    perPage,
    sort: isSlowest ? "-duration_ms" : "-start_time",
    status: kind === "troubled" ? troubles : undefined,
    trigger: kind === "manual" ? "manual" : undefined,
  });
  // The job is polled; its runs are reloaded only when they have changed.
  useReload(query, `${job.last_run} ${job.running.map(({ run_id }) => run_id)}`);
  const items = query.data?.items ?? [];
  return (
    <Panel
      title="Runs"
      class="cron-runs"
      actions={
        <Button
          icon="download"
          disabled={items.length === 0}
          title="Download the runs on this page of the table as CSV"
          onClick={() => downloadRuns(job, items)}
        >
          CSV
        </Button>
      }
    >
      <div class="toolbar">
        <Choice
          name="Which runs"
          value={kind}
          options={kinds as readonly { value: string; label: string }[]}
          onChoose={(value) => setParams({ runs: value === "all" ? undefined : value, page: undefined })}
        />
        <Choice
          name="Order of the runs"
          value={isSlowest ? "slowest" : "newest"}
          options={orders}
          onChoose={(value) => setParams({ order: value === "newest" ? undefined : value, page: undefined })}
        />
      </div>
      <Loaded query={query}>
        {({ totalItems, page: loaded }) => (
          <>
            <Table
              caption={`Runs of ${job.name}`}
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              empty={<NoRuns isFiltered={kind !== "all"} isBeyond={totalItems > 0} />}
            />
            <Pager
              things="runs"
              page={loaded}
              perPage={perPage}
              total={totalItems}
              onPage={(wanted) => setParams({ page: wanted === 1 ? undefined : wanted })}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function NoRuns({ isFiltered, isBeyond }: { isFiltered: boolean; isBeyond: boolean }) {
  if (isBeyond) return <Empty icon="info" title="There is no such page" />;
  if (isFiltered) return <Empty icon="good" title="No stored run matches" />;
  return (
    <Empty icon="clock" title="No runs are stored">
      Runs appear here as soon as they start, and stay until their retention expires.
    </Empty>
  );
}

const columns: readonly Column<Run>[] = [
  {
    name: "began",
    label: "Started",
    isHead: true,
    cell: (run) => <Began run={run} />,
  },
  { name: "status", label: "Status", cell: ({ status }) => <RunState status={status} /> },
  { name: "duration", label: "Duration", isNumber: true, cell: (run) => <Duration run={run} /> },
  { name: "trigger", label: "Trigger", cell: ({ trigger, actor }) => describeTrigger(trigger, actor) },
  { name: "attempt", label: "Attempt", isNumber: true, cell: ({ attempt }) => attempt },
  {
    name: "trace",
    label: "Trace",
    cell: ({ trace_id }) => (
      <a class="mono" href={hrefTo("logs", { q: `trace:${trace_id}` })} title="The log records of this run">
        {trace_id}
      </a>
    ),
  },
];

/** With seconds, because a job can run several times a minute. */
function Began({ run: { id, job_id, start_time } }: { run: Run }) {
  const time = Date.parse(start_time);
  return (
    <a href={hrefTo("cron", { job: job_id, run: id })}>
      <Moment time={time}>{`${formatDay(time)}, ${formatClock(time)}`}</Moment>
    </a>
  );
}

function Duration({ run: { duration_ms, start_time } }: { run: Run }) {
  return duration_ms === undefined ? (
    <Elapsed since={Date.parse(start_time)} />
  ) : (
    <span>{formatMs(duration_ms)}</span>
  );
}

function downloadRuns(job: Job, runs: readonly Run[]): void {
  const names = [
    "run",
    "job",
    "began",
    "ended",
    "status",
    "duration_ms",
    "trigger",
    "actor",
    "attempt",
    "trace",
    "instance",
  ];
  const rows = runs.map((run) => [
    run.id,
    run.job_name,
    run.start_time,
    run.end_time,
    run.status,
    run.duration_ms,
    run.trigger,
    run.actor,
    run.attempt,
    run.trace_id,
    run.instance,
  ]);
  downloadCsv(`runs-${toFileName(job.id)}.csv`, names, rows);
}
