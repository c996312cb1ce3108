import type { ErrorDetail, ErrorSample } from "../../../../src/features/metrics/wire.ts";
import { formatPrecise, formatRelative } from "../../format/times.ts";
import { hrefTo } from "../../state/address.ts";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Moment, useNow } from "../../ui/time.tsx";

/** Sample occurrences, each with links to its request or job and to its log records. */
export function Samples({ error }: { error: ErrorDetail }) {
  const now = useNow(10_000);
  const hasInstances = new Set(error.samples.map(({ instance }) => instance)).size > 1;
  // Errors of one group can have different messages.
  const differ = error.samples.some(({ message }) => message !== error.message);
  const [job] = error.jobs;
  const columns: Column<ErrorSample>[] = [
    {
      name: "trace",
      label: "Trace",
      isHead: true,
      cell: ({ trace_id }) => <TraceLink trace={trace_id} job={job} />,
    },
    {
      name: "time",
      label: "Time",
      cell: ({ time }) => (
        <Moment time={time}>{`${formatPrecise(time)}, ${formatRelative(time, now)}`}</Moment>
      ),
    },
    ...(differ
      ? [
          {
            name: "message",
            label: "Message",
            cell: ({ message }: ErrorSample) => (
              <span class="hint clamp" title={message}>
                {message}
              </span>
            ),
          },
        ]
      : []),
    ...(hasInstances
      ? [{ name: "instance", label: "Instance", cell: ({ instance }: ErrorSample) => instance }]
      : []),
    {
      name: "records",
      label: "Records",
      cell: ({ trace_id }) => (
        <a href={hrefTo("logs", { q: `trace:${trace_id}` })} aria-label={`Log records of ${trace_id}`}>
          Log
        </a>
      ),
    },
  ];
  return (
    <Table
      caption="Traces"
      columns={columns}
      rows={error.samples}
      keyOf={({ time, trace_id }) => `${time} ${trace_id}`}
      empty={<p class="hint">Traces are no longer stored.</p>}
    />
  );
}

/** A job run usually has no request, so its trace links to the job. */
function TraceLink({ trace, job }: { trace: string; job: string | undefined }) {
  const href = job === undefined ? hrefTo("requests", { trace }) : hrefTo("cron", { job });
  return (
    <a class="mono" href={href}>
      {trace}
    </a>
  );
}
