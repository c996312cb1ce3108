import type { Instance } from "../../../../../src/features/metrics/wire.ts";
import { hrefTo } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { Empty, Loaded } from "../../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Badge, Status } from "../../../ui/status.tsx";
import { Ago } from "../../../ui/time.tsx";

const stateWords = { running: "running", stopped: "stopped", lost: "not seen" } as const;

/** The instances that use this database, and their hosts. */
export function Instances({ here }: { here: string | undefined }) {
  const query = useQuery("/_/_/data/instances", {}, { every: 15_000 });
  return (
    <Panel
      title="Instances"
      hint="Instances that have written to this database, most recently seen first"
      class="storage-instances"
    >
      <Loaded query={query} lines={3}>
        {({ instances }) => <InstanceTable instances={instances} here={here} />}
      </Loaded>
    </Panel>
  );
}

function InstanceTable({ instances, here }: { instances: readonly Instance[]; here: string | undefined }) {
  const columns: readonly Column<Instance>[] = [
    {
      name: "instance",
      label: "Instance",
      isHead: true,
      cell: ({ instance }) => (
        <span>
          <a href={hrefTo("overview", { instance })}>{instance}</a>{" "}
          {instance === here && <Badge tone="info">current instance</Badge>}
        </span>
      ),
      sortBy: ({ instance }) => instance,
    },
    {
      name: "state",
      label: "State",
      cell: ({ state }) => <Status tone={state === "running" ? "good" : "quiet"}>{stateWords[state]}</Status>,
    },
    {
      name: "started",
      label: "Started",
      cell: ({ started_at }) => <Ago time={started_at} />,
      sortBy: ({ started_at }) => -started_at,
    },
    {
      name: "seen",
      label: "Last seen",
      cell: ({ instance, seen_at }) => (instance === here ? "now" : <Ago time={seen_at} />),
      sortBy: ({ seen_at }) => -seen_at,
    },
    {
      name: "versions",
      label: "Versions",
      cell: ({ description }) => (
        <span>
          {description.app_release !== undefined && <span class="stack wrap">{description.app_release}</span>}
          <span class="hint stack wrap">
            Annex {description.annex_version ?? "?"}, Node {description.node_version ?? "?"}
          </span>
        </span>
      ),
    },
    { name: "machine", label: "Machine", cell: ({ description }) => <Machine description={description} /> },
  ];
  return (
    <Table
      caption="Instances"
      columns={columns}
      rows={instances}
      keyOf={({ instance }) => instance}
      empty={
        <Empty title="No instance has written yet">
          An instance appears here a few seconds after its start, when it has written its first metrics.
        </Empty>
      }
    />
  );
}

function Machine({ description }: { description: Instance["description"] }) {
  const { platform, arch, release, cpu_count, cpu_model, container, hostname, pid } = description;
  return (
    <span>
      {cpu_count} × {cpu_model ?? arch}
      <span class="hint stack wrap">
        {[hostname, `process ${pid}`, `${platform} ${release}`, arch, container && `in ${container}`]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </span>
  );
}
