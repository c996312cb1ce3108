import "./logs.css";
import { useEffect, useMemo, useState } from "preact/hooks";
import { urlOf } from "../../data/routes.ts";
import { formatPercent, formatWhole } from "../../format/numbers.ts";
import { toSearchParams } from "../../query-bar/params.ts";
import { parseQuery, type RecordFilter, recordWords } from "../../query-bar/parse.ts";
import { NotSearched, QueryBar } from "../../query-bar/query-bar.tsx";
import { addToken } from "../../query-bar/tokens.ts";
import type { NamedRecord } from "../../records/named-record.ts";
import { tokenOf } from "../../records/value-token.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { chosenInstance, instanceNames } from "../../state/fleet/instances.ts";
import { isNarrow } from "../../state/narrow.ts";
import { isLive, timeWindow } from "../../state/time-window.ts";
import { TraceDrawer } from "../../trace/trace-drawer.tsx";
import { Loading, Problem } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { HeldPill, ListEnd } from "../../ui/lists/list-ends.tsx";
import { useVirtualRows } from "../../ui/lists/virtual-rows.ts";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { LevelChips } from "./level-chips.tsx";
import { LogLevelControl } from "./log-level-control.tsx";
import { useExtras, useOpenRecords } from "./open-records.ts";
import { mostOlder, type RecordFeed, useRecordFeed } from "./record-feed.ts";
import { RecordList } from "./record-list.tsx";
import { useVolume, VolumeChart } from "./volume-chart.tsx";

/** All log records: their volume, and each record in full. */
export function Logs() {
  const q = param("q") ?? "";
  const trace = param("trace");
  const { filter, problems } = useMemo(() => parseQuery(q, recordWords), [q]);
  const wanted = problems.length === 0 ? { ...filter, instance: chosenInstance.value } : null;
  const [isRead, setRead] = useState(false);
  const feed = useRecordFeed(wanted, isRead || trace !== undefined);
  const volume = useVolume(wanted);
  const search = (text: string) => setParams({ q: text });
  return (
    <>
      <PageHead title="Logs">
        <LogLevelControl />
      </PageHead>
      <QueryBar
        label="Search the records"
        placeholder="level:error  event:http_request  user.id:7  -msg:…  any text"
        value={q}
        words={recordWords}
        valuesOf={(field) => seenValues(feed.records, field)}
        onSearch={search}
      />
      {wanted && (
        <>
          <LevelChips q={q} volume={volume.data} onSearch={search} />
          <VolumeChart query={volume} chosen={wanted.levels} isSampled={isSampled(feed)} />
        </>
      )}
      <Panel
        title={isLive.value ? "Latest records" : "Records in this window"}
        hint={wanted && `${formatWhole(feed.records.length)} shown, newest first${sampleHint(feed)}`}
        actions={wanted && <DownloadLink filter={wanted} />}
        class="list-panel"
      >
        {feed.error && <Problem error={feed.error} />}
        {wanted ? (
          <Rows feed={feed} q={q} onSearch={search} onRead={setRead} />
        ) : (
          <NotSearched onClear={() => search("")} />
        )}
      </Panel>
      {trace !== undefined && (
        <TraceDrawer
          trace={trace}
          onClose={() => setParams({ trace: undefined })}
          hrefOf={(other) => hrefTo("logs", { q, trace: other })}
        />
      )}
    </>
  );
}

interface RowsProps {
  readonly feed: RecordFeed;
  readonly q: string;
  onSearch(text: string): void;
  /** Called with whether the user is reading: the list is scrolled, or a record is open. */
  onRead(isRead: boolean): void;
}

function Rows({ feed, q, onSearch, onRead }: RowsProps) {
  const { records, older, isLoaded } = feed;
  const open = useOpenRecords();
  const extras = useExtras(records, open.heights);
  const virtual = useVirtualRows({ count: records.length, rowHeight: isNarrow.value ? 58 : 34, extras });
  const { isScrolled, end, covered, top } = virtual;
  const isRead = isScrolled || extras.size > 0;
  useEffect(() => onRead(isRead), [isRead]);
  useEffect(() => {
    if (isLoaded && older.state === "waiting" && end >= records.length - nearEnd) older.more();
  });
  return (
    <>
      <HeldPill
        isHeld={isRead && isLive.value}
        isAtTop={!isScrolled}
        fresh={feed.fresh}
        covered={covered - 40}
        top={top}
        onResume={open.closeAll}
      />
      <RecordList
        records={records}
        virtual={virtual}
        open={open}
        hrefOf={(trace) => hrefTo("logs", { q, trace })}
        onFilter={(record, field, value, isNegated) => {
          const { name, text, isPlain } = tokenOf(record, field, value);
          onSearch(addToken(q, name, text, { isNegated, isPlain }));
        }}
      />
      {isLoaded || records.length > 0 ? (
        <ListEnd
          pages={older}
          count={records.length}
          most={mostOlder}
          what="records"
          none={whyNone(feed, q)}
        />
      ) : (
        <Loading lines={6} />
      )}
    </>
  );
}

/** Loads the next page this many rows before the end. */
const nearEnd = 20;

function DownloadLink({ filter }: { filter: RecordFilter }) {
  const { from, to } = timeWindow.value;
  // A live window includes records that arrived since its last step.
  const window = { from, to: isLive.value ? undefined : to };
  return (
    <a
      class="button plain"
      href={urlOf("/_/_/data/logs.ndjson", { ...toSearchParams(filter), ...window })}
      download
      title="All matching records in this window, one per line"
    >
      <Icon name="download" />
      NDJSON
    </a>
  );
}

function isSampled({ recording }: RecordFeed): boolean {
  const { requests = false, sample = 1 } = recording ?? {};
  return requests && sample < 1;
}

/** Says that requests are missing on purpose. */
function sampleHint(feed: RecordFeed): string {
  if (!isSampled(feed)) return "";
  return `; ${formatPercent(feed.recording!.sample)} of successful, fast requests are logged`;
}

function whyNone({ recording }: RecordFeed, q: string): string {
  if (recording && !recording.stored)
    return "Records are not stored (log.store is false). They are written only to the log destination.";
  const level = recording ? ` The level is ${recording.level}; records below it are not written.` : "";
  return q === ""
    ? `Nothing was logged in this window.${level}`
    : `No record in this window matches.${level}`;
}

const looked = 300;

/** Fields of recent records, and their values. */
function seenValues(records: readonly NamedRecord[], field: string): readonly string[] {
  if (field === "instance") return instanceNames.value;
  const seen = new Set<string>();
  for (const { record } of records.slice(0, looked)) {
    if (field === "") for (const name of Object.keys(record)) seen.add(name);
    else if (Object.hasOwn(record, field)) seen.add(textOf(record[field]));
  }
  return [...seen].filter((text) => text.length <= 100);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
