import "./access.css";
import type { AccessSummary } from "../../../../src/features/access/wire.ts";
import { urlOf } from "../../data/routes.ts";
import { formatCount, formatWhole } from "../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { isLive } from "../../state/time-window.ts";
import { TraceDrawer } from "../../trace/trace-drawer.tsx";
import { FilterChips } from "../../ui/controls/filter-chips.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { Loaded, Loading, Problem } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { type EventFeed, useEventFeed } from "./event-feed.ts";
import { EventList } from "./event-list.tsx";
import { clearFilters, filterParams, type NameFilter, openWindow } from "./filter-params.ts";
import { KindChips } from "./kind-chips.tsx";
import { NoEvents } from "./no-events.tsx";
import { Rankings } from "./rankings.tsx";
import { TimePanel } from "./time-panel.tsx";

/** Sign-ins, failed attempts, refused requests and account changes. */
export function Access() {
  const question = { ...openWindow(), ...filterParams() };
  const summary = useQuery("/_/_/data/access/summary", { ...question, points: 60 });
  const feed = useEventFeed();
  const trace = param("trace");
  return (
    <>
      <PageHead title="Access">
        <FileLink format="csv" />
        <FileLink format="ndjson" />
      </PageHead>
      <div class="toolbar">
        <SearchField label="Search the access log" placeholder="Account, address, agent, route or trace" />
        <NameFilters />
      </div>
      <Loaded query={summary} lines={10}>
        {(found) => <Found summary={found} feed={feed} />}
      </Loaded>
      {trace !== undefined && (
        <TraceDrawer
          trace={trace}
          onClose={() => setParams({ trace: undefined })}
          hrefOf={(other) => hrefTo("access", { trace: other })}
        />
      )}
    </>
  );
}

function Found({ summary, feed }: { summary: AccessSummary; feed: EventFeed }) {
  const isEmpty = feed.isLoaded && feed.events.length === 0;
  return (
    <>
      <KindChips summary={summary} />
      {summary.overflow > 0 && <OverflowNote count={summary.overflow} />}
      {isEmpty ? (
        <NoEvents retentionDays={summary.retention_days} />
      ) : (
        <>
          <TimePanel summary={summary} />
          <Rankings summary={summary} />
          <Panel
            title={isLive.value ? "Latest events" : "Events in this window"}
            hint={`${formatWhole(feed.events.length)} ${feed.events.length === 1 ? "row" : "rows"}, newest first. Identical events within a few minutes share a row.`}
          >
            {feed.error && <Problem error={feed.error} retry={feed.reload} />}
            {feed.isLoaded ? <EventList feed={feed} /> : !feed.error && <Loading lines={6} />}
          </Panel>
        </>
      )}
    </>
  );
}

function OverflowNote({ count }: { count: number }) {
  return (
    <p class="note alert warn">
      <Icon name="warn" />
      <span>
        {formatCount(count)} {count === 1 ? "event is" : "events are"} counted but not listed individually,
        because too many different events occurred within an hour.
      </span>
    </p>
  );
}

const filterLabels: Readonly<Record<NameFilter, string>> = { account: "Account", address: "Address" };

function NameFilters() {
  const filters = (["account", "address"] as const).flatMap((name) => {
    const value = param(name);
    const onRemove = () => setParams({ [name]: undefined });
    return value === undefined ? [] : [{ label: filterLabels[name], value, onRemove }];
  });
  return filters.length === 0 ? null : <FilterChips filters={filters} onClear={clearFilters} />;
}

const formats = {
  csv: { word: "CSV", title: "All matching events in this window, for a spreadsheet" },
  ndjson: { word: "NDJSON", title: "All matching events in this window, one JSON object per line" },
} as const;

function FileLink({ format }: { format: keyof typeof formats }) {
  const { word, title } = formats[format];
  const href = urlOf(`/_/_/data/access.${format}`, { ...openWindow(), ...filterParams() });
  return (
    <a class="button plain" href={href} download title={title}>
      <Icon name="download" />
      {word}
    </a>
  );
}
