import type { Instance } from "../../../../src/features/metrics/wire.ts";
import { formatMs, formatPercent, formatRate, formatSpan } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { chosenInstance, instances } from "../../state/fleet/instances.ts";
import { snapshot } from "../../state/live.ts";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge, Status, type Tone } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";

/** Instances that have left remain in the list for a while. */
const shownMs = 10 * 60_000;

/** The instances that run, what they do, and those that left recently. */
export function Fleet() {
  const list = instances.value;
  // A database of its own may list earlier names of the same instance.
  if (!list?.is_shared) return null;
  const { now, instances: all } = list;
  const shown = all.filter(({ state, seen_at }) => state === "running" || now - seen_at < shownMs);
  const running = shown.filter(({ state }) => state === "running");
  const chosen = chosenInstance.value;
  return (
    <Panel
      title="Fleet"
      hint={`${running.length} running ${running.length === 1 ? "instance" : "instances"}`}
      actions={
        chosen !== undefined && <a href={hrefTo("overview", { instance: undefined })}>Show all instances</a>
      }
    >
      <Table
        caption="Instances"
        columns={columns}
        rows={[...shown].sort(inOrder)}
        keyOf={({ instance }) => instance}
        classOf={({ state }) => (state === "running" ? "" : "fleet-gone")}
      />
    </Panel>
  );
}

/** Running ones first, by name. */
function inOrder(one: Instance, other: Instance): number {
  const isGone = ({ state }: Instance) => Number(state !== "running");
  return isGone(one) - isGone(other) || one.instance.localeCompare(other.instance, "en", { numeric: true });
}

const columns: readonly Column<Instance>[] = [
  {
    name: "instance",
    label: "Instance",
    isHead: true,
    cell: ({ instance }) => (
      <span class="cluster gap-4">
        <a href={hrefTo("overview", { instance })}>{instance}</a>
        {instance === snapshot.value?.instance && <Badge tone="info">current</Badge>}
        {instance === chosenInstance.value && <Badge>selected</Badge>}
      </span>
    ),
  },
  { name: "state", label: "State", cell: (instance) => <State {...instance} /> },
  {
    name: "version",
    label: "Version",
    dropsBelow: 960,
    cell: ({ description }) =>
      description.app_release ?? <span class="hint">Annex {description.annex_version ?? "?"}</span>,
  },
  {
    name: "uptime",
    label: "Uptime",
    isNumber: true,
    cell: ({ status }) => (status ? formatSpan(status.verdict.uptime_seconds * 1_000) : "–"),
  },
  {
    name: "rate",
    label: "Requests",
    isNumber: true,
    cell: ({ status }) => (status ? `${formatRate(status.requests_per_second)} /s` : "–"),
  },
  {
    name: "cpu",
    label: "CPU",
    isNumber: true,
    cell: ({ status }) => formatMetric(status?.system["process.cpu_ratio"], formatPercent),
  },
  {
    name: "loop",
    label: "Loop p99",
    isNumber: true,
    cell: ({ status }) => formatMetric(status?.system["loop.delay_p99_ms"], formatMs),
  },
  { name: "runs", label: "Runs in progress", cell: ({ status }) => <Runs status={status} /> },
  {
    name: "beat",
    label: "Last beat",
    isNumber: true,
    cell: ({ seen_at }) => <Ago time={seen_at} />,
  },
];

function formatMetric(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "–" : format(value);
}

const healthWords: Readonly<Record<string, { word: string; tone: Tone }>> = {
  healthy: { word: "Healthy", tone: "good" },
  degraded: { word: "Degraded", tone: "warn" },
  failing: { word: "Failing", tone: "bad" },
  draining: { word: "Shutting down", tone: "warn" },
};

function State({ state, status }: Instance) {
  if (state === "stopped") return <Status tone="quiet">Stopped</Status>;
  if (state === "lost") return <Status tone="warn">No heartbeat</Status>;
  if (!status) return <Status tone="good">Running</Status>;
  const { word, tone } = healthWords[status.verdict.status] ?? { word: status.verdict.status, tone: "warn" };
  const reasons = status.verdict.reasons.map(({ message }) => message).join("\n");
  return (
    <span class="cluster gap-4" title={reasons}>
      <Status tone={tone}>{word}</Status>
      {status.is_fenced && <Badge tone="bad">Fenced</Badge>}
    </span>
  );
}

const namedJobs = 2;

/** The number of runs, and the jobs of the first ones. */
function Runs({ status }: Pick<Instance, "status">) {
  if (!status) return <>–</>;
  if (status.run_count === 0) return <span class="hint">none</span>;
  const jobs = [...Map.groupBy(status.runs, ({ job_id }) => job_id)];
  const named = jobs.slice(0, namedJobs);
  const rest = status.run_count - named.reduce((sum, [, runs]) => sum + runs.length, 0);
  return (
    <span class="cluster gap-4">
      {status.run_count}
      {named.map(([job, [run]]) => (
        <a key={job} class="mono fleet-job" href={hrefTo("cron", { job, run: run!.run_id })}>
          {job}
        </a>
      ))}
      {rest > 0 && <span class="hint">and {rest} more</span>}
    </span>
  );
}
