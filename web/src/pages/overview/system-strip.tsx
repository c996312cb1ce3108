import type { ComponentChildren } from "preact";
import { Meter } from "../../charts/meter.tsx";
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent } from "../../format/numbers.ts";
import { formatClock } from "../../format/times.ts";
import { instances } from "../../state/fleet/instances.ts";
import { isChosenGone, liveMembers } from "../../state/fleet/members.ts";
import { isCutOff, seconds, snapshot } from "../../state/live.ts";
import { useQuery } from "../../state/query.ts";
import { isLive } from "../../state/time-window.ts";
import { Loading } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";

type System = Readonly<Record<string, number>>;

/** Current system and process metrics. Metrics that this platform does not provide are omitted. */
export function SystemStrip() {
  const known = snapshot.value;
  // Without a selection, the first one is the instance that sends the live values.
  const [member] = liveMembers.value;
  const isHere = member?.instance === known?.instance;
  const isPast = !isLive.value || isCutOff.value;
  const when = !isPast ? "" : ` · as of ${formatClock(seconds.value.at(-1)?.time ?? known?.now ?? 0)}`;
  const machine = member && describeMachine(member.instance);
  const system = member && Object.keys(member.system).length > 0 ? member.system : undefined;
  if (isChosenGone.value) return null;
  return (
    <Panel
      title="System"
      hint={machine ? `${member.instance} · ${machine}${when}` : "The machine and the process"}
    >
      {system ? (
        <div class="grid narrow">
          <Cores system={system} />
          <Memory system={system} />
          <Heap system={system} />
          <Disk system={system} instance={member!.instance} isHere={isHere} />
          <Network system={system} />
          <Process system={system} />
          <Container system={system} />
        </div>
      ) : (
        <Loading lines={3} />
      )}
    </Panel>
  );
}

function describeMachine(instance: string): string | undefined {
  const here = snapshot.value?.instance === instance ? snapshot.value.system : undefined;
  const machine = here ?? instances.value?.instances.find((each) => each.instance === instance)?.description;
  return machine && `${machine.cpu_model ?? machine.platform} · Node ${machine.node_version}`;
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="system-group stack gap-4">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <p class="system-fact row gap-8">
      <span class="quiet ellipsis">{name}</span>
      <span>{value}</span>
    </p>
  );
}

function Cores({ system }: { system: System }) {
  const cores = Object.entries(system).filter(([name]) => /^cpu\.core\.\d+\.ratio$/.test(name));
  const load = ["load.1", "load.5", "load.15"]
    .map((name) => system[name])
    .filter((value) => value !== undefined);
  return (
    <Group title="Processors">
      <div class="cores">
        {cores.slice(0, 64).map(([name, ratio], index) => (
          <Meter key={name} ratio={ratio} label={`Core ${index + 1}`} />
        ))}
      </div>
      {system["cpu.ratio"] !== undefined && <Fact name="All" value={formatPercent(system["cpu.ratio"])} />}
      {load.length > 0 && <Fact name="Load" value={load.map(formatNumber).join(" · ")} />}
    </Group>
  );
}

function Memory({ system }: { system: System }) {
  const { "memory.total_bytes": total, "memory.used_bytes": used } = system;
  if (total === undefined || used === undefined) return null;
  return (
    <Group title="Memory">
      <Meter ratio={used / total} label="Memory in use" />
      <Fact name="Used" value={`${formatBytes(used)} of ${formatBytes(total)}`} />
      <Optional name="Available" value={system["memory.available_bytes"]} format={formatBytes} />
      <Optional name="Cached" value={system["memory.cached_bytes"]} format={formatBytes} />
    </Group>
  );
}

function Heap({ system }: { system: System }) {
  const { "process.heap_used_bytes": used, "process.heap_limit_bytes": limit } = system;
  return (
    <Group title="Heap and GC">
      {used !== undefined && limit !== undefined && <Meter ratio={used / limit} label="Heap in use" />}
      <Optional name="Used" value={used} format={formatBytes} />
      <Optional name="Limit" value={limit} format={formatBytes} />
      <Optional name="GC pauses" value={system["gc.pause_ms"]} format={(value) => `${formatMs(value)}/s`} />
    </Group>
  );
}

interface DiskProps {
  readonly system: System;
  readonly instance: string;
  readonly isHere: boolean;
}

/** Only the instance that responds forecasts its disk. Behind a load balancer, that may be another one. */
function Disk({ system, instance, isHere }: DiskProps) {
  const { data } = useQuery(isHere ? "/_/_/data/disk" : null, {}, { every: 300_000 });
  const forecast = isHere && data?.instance === instance ? data : undefined;
  const { "disk.total_bytes": total, "disk.available_bytes": available } = system;
  if (total === undefined || available === undefined) return null;
  return (
    <Group title="Data disk">
      <Meter ratio={1 - available / total} label="Disk in use" />
      <Fact name="Free" value={`${formatBytes(available)} of ${formatBytes(total)}`} />
      {forecast?.days_to_full !== undefined ? (
        <Fact name="Full in" value={`about ${formatCount(Math.round(forecast.days_to_full))} days`} />
      ) : (
        forecast && <Fact name="Growth" value="negligible" />
      )}
    </Group>
  );
}

function Network({ system }: { system: System }) {
  const interfaces = Object.keys(system).flatMap(
    (name) => /^network\.(.+)\.in_bytes_per_second$/.exec(name)?.[1] ?? [],
  );
  if (interfaces.length === 0) return null;
  const rate = (name: string) => `${formatBytes(system[name] ?? 0)}/s`;
  return (
    <Group title="Network">
      {interfaces.slice(0, 6).map((name) => (
        <Fact
          key={name}
          name={name}
          value={`↓ ${rate(`network.${name}.in_bytes_per_second`)}  ↑ ${rate(`network.${name}.out_bytes_per_second`)}`}
        />
      ))}
    </Group>
  );
}

function Process({ system }: { system: System }) {
  const long = system["http.long_running"] ?? 0;
  return (
    <Group title="Process">
      <Optional name="In flight" value={system["http.in_flight"]} format={formatCount} />
      {long > 0 && <Fact name="Long-running" value={formatCount(long)} />}
      <Optional name="Connections" value={system["http.connections"]} format={formatCount} />
      <Optional name="Event streams" value={system["http.event_streams"]} format={formatCount} />
      <Optional name="WebSockets" value={system["http.websockets"]} format={formatCount} />
      <Optional name="Open handles" value={system["process.handles"]} format={formatCount} />
      <Optional name="Descriptors" value={system["process.open_descriptors"]} format={formatCount} />
    </Group>
  );
}

function Container({ system }: { system: System }) {
  const { "container.memory_limit_bytes": memory, "container.cpu_limit_cores": cores } = system;
  if (memory === undefined && cores === undefined) return null;
  return (
    <Group title="Container limits">
      <Optional name="Memory" value={memory} format={formatBytes} />
      <Optional name="Cores" value={cores} format={formatNumber} />
      <Optional name="Throttled" value={system["container.throttled_ratio"]} format={formatPercent} />
    </Group>
  );
}

interface OptionalProps {
  readonly name: string;
  readonly value: number | undefined;
  format(value: number): string;
}

function Optional({ name, value, format }: OptionalProps) {
  return value === undefined ? null : <Fact name={name} value={format(value)} />;
}
