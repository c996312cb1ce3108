import type { ComponentChildren } from "preact";
import type { AccessEvent } from "../../../../src/features/access/wire.ts";
import { formatWhole } from "../../format/numbers.ts";
import { formatClock, formatMoment, formatRelative } from "../../format/times.ts";
import { hrefTo, param } from "../../state/address.ts";
import { timeWindow } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Moment, useNow } from "../../ui/time.tsx";
import { nameAgent } from "./agent-name.ts";
import { type EventFeed, mostEvents } from "./event-feed.ts";
import { type NameFilter, toggleName } from "./filter-params.ts";
import { kindLooks } from "./kinds.ts";

/** The events, newest first, each with its trace. */
export function EventList({ feed }: { feed: EventFeed }) {
  const { events, hasMore, more } = feed;
  const now = useNow(10_000);
  const hasInstances = new Set(events.map(({ instance }) => instance)).size > 1;
  return (
    <>
      <Table
        caption="Access events, the newest first"
        columns={columnsOf(now, hasInstances)}
        rows={events}
        keyOf={({ id }) => id}
        classOf={() => "access-row"}
      />
      {hasMore ? (
        <Button class="button plain access-end" onClick={more}>
          Show earlier events
        </Button>
      ) : (
        <p class="hint access-end">
          {events.length >= mostEvents
            ? `This list ends after ${formatWhole(mostEvents)} rows. Narrow the filter or the window, or download a file.`
            : "These are all events in this window."}
        </p>
      )}
    </>
  );
}

function columnsOf(now: number, hasInstances: boolean): Column<AccessEvent>[] {
  const instance: Column<AccessEvent> = {
    name: "instance",
    label: "Instance",
    isMinor: true,
    cell: (event) => event.instance,
  };
  return [
    { name: "what", label: "Event", isHead: true, cell: (event) => <What event={event} /> },
    { name: "account", label: "Account", cell: (event) => <Account event={event} /> },
    { name: "where", label: "From", cell: (event) => <Origin event={event} /> },
    ...(hasInstances ? [instance] : []),
    { name: "trace", label: "Trace", cell: (event) => <Trace event={event} /> },
    { name: "time", label: "Time", isNumber: true, cell: (event) => <Time event={event} now={now} /> },
  ];
}

function What({ event: { kind, count, detail, overflow } }: { event: AccessEvent }) {
  const { word, icon, tone } = kindLooks[kind];
  return (
    <div class="row">
      <span class={`disc ${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="stack gap-0">
        <span class="cluster strong">
          <span class={tone}>{word}</span>
          {count > 1 && (
            <span class={`badge ${tone}`} title={`${formatWhole(count)} events in this row`}>
              <span aria-hidden>×{formatWhole(count)}</span>
              <span class="visually-hidden">{formatWhole(count)} times</span>
            </span>
          )}
        </span>
        {detail !== null && (
          <span class={`hint ${overflow ? "wrap" : "clamp"}`} title={detail}>
            {detail}
          </span>
        )}
      </div>
    </div>
  );
}

function Account({ event: { account, actor } }: { event: AccessEvent }) {
  return (
    <div class="stack gap-0 wrap">
      {account === null ? <None>anonymous</None> : <NameButton filter="account" name={account} />}
      {actor !== null && actor !== account && <span class="hint">by {actor}</span>}
    </div>
  );
}

function Origin({ event: { address, agent } }: { event: AccessEvent }) {
  return (
    <div class="stack gap-0 wrap">
      {address === null ? <None>no request</None> : <NameButton filter="address" name={address} />}
      {agent !== null && (
        <span class="hint" title={agent}>
          {nameAgent(agent)}
        </span>
      )}
    </div>
  );
}

/** Filters by its value. */
function NameButton({ filter, name }: { filter: NameFilter; name: string }) {
  const isOn = param(filter) === name;
  const title = isOn ? `Stop filtering by ${name}` : `Only events with ${name}`;
  return (
    <button type="button" class="plain-link" title={title} onClick={() => toggleName(filter, name)}>
      {name}
    </button>
  );
}

function Trace({ event: { trace_id } }: { event: AccessEvent }) {
  if (trace_id === null) return <None>–</None>;
  const { q, kind, account, address } = Object.fromEntries(
    ["q", "kind", "account", "address"].map((name) => [name, param(name)]),
  );
  return (
    <a
      class="access-trace link-row small-icons"
      href={hrefTo("access", { q, kind, account, address, trace: trace_id })}
      aria-label={`Trace ${trace_id}`}
    >
      <Icon name="link" />
      <code class="small">{trace_id}</code>
      <span>Trace</span>
    </a>
  );
}

/** The time, with its age, or with the end of a row that merges several events. */
function Time({ event: { time, last_time, count }, now }: { event: AccessEvent; now: number }) {
  const { from, to } = timeWindow.value;
  const isLong = to - from > 86_400_000;
  return (
    <div class="stack gap-0 wrap">
      <Moment time={time}>{isLong ? formatMoment(time) : formatClock(time)}</Moment>
      <span class="hint">
        {count > 1 && last_time > time + 1_000
          ? `until ${formatClock(last_time)}`
          : formatRelative(Math.min(time, now), now)}
      </span>
    </div>
  );
}

function None({ children }: { children: ComponentChildren }) {
  return <span class="quiet">{children}</span>;
}
