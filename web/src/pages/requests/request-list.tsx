import { useEffect, useMemo, useState } from "preact/hooks";
import type { RecentLimits } from "../../../../src/features/metrics/wire.ts";
import type { RequestRow } from "../../data/request-rows.ts";
import { urlOf } from "../../data/routes.ts";
import { formatWhole } from "../../format/numbers.ts";
import { isSearchable, toSearchParams } from "../../query-bar/params.ts";
import { parseQuery, type RecordFilter, requestWords } from "../../query-bar/parse.ts";
import { NotSearched, QueryBar } from "../../query-bar/query-bar.tsx";
import { param, setParams } from "../../state/address.ts";
import { chosenInstance, hasSeveral, instanceNames, instances } from "../../state/fleet/instances.ts";
import { snapshot } from "../../state/live.ts";
import { isNarrow } from "../../state/narrow.ts";
import { useQuery } from "../../state/query.ts";
import { isLive, timeWindow, windowParams } from "../../state/time-window.ts";
import { TraceDrawer } from "../../trace/trace-drawer.tsx";
import { Loading, Problem } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { HeldPill, ListEnd } from "../../ui/lists/list-ends.tsx";
import { useVirtualRows } from "../../ui/lists/virtual-rows.ts";
import { Panel } from "../../ui/panel.tsx";
import { RecordingNote } from "./recording-note.tsx";
import { RequestChart } from "./request-chart.tsx";
import { mostOlder, type RequestFeed, useRequestFeed } from "./request-feed.ts";
import { RequestTable } from "./request-table.tsx";
import { hrefToTrace } from "./slowest-tab.tsx";

/** The requests of the window, live and as far back as they are stored. */
export function RequestList() {
  const q = param("q") ?? "";
  const trace = param("trace");
  const { filter, problems } = useMemo(() => parseQuery(q, requestWords), [q]);
  const instance = chosenInstance.value;
  const wanted = problems.length === 0 ? { ...filter, instance } : null;
  const [isScrolled, setScrolled] = useState(false);
  const feed = useRequestFeed(wanted, isScrolled || trace !== undefined);
  const stored = useQuery("/_/_/data/logs", { event: "http_request", limit: 1 });
  const valuesOf = useValues(feed.rows);
  const search = (text: string) => setParams({ q: text });
  return (
    <>
      <QueryBar
        label="Search the requests"
        placeholder="status:5xx  path:/api/*  dur:>200ms  method:POST  trace:…"
        value={q}
        words={requestWords}
        valuesOf={valuesOf}
        onSearch={search}
      />
      {wanted && <RequestChart filter={wanted} recording={stored.data?.recording} />}
      <Panel
        title={isLive.value ? "Latest requests" : "Requests in this window"}
        hint={wanted && <Origin count={feed.rows.length} />}
        actions={wanted && <CsvLink filter={wanted} />}
        class="list-panel"
      >
        <RecordingNote recording={stored.data?.recording} onChange={stored.reload} />
        {feed.error && <Problem error={feed.error} />}
        {wanted ? (
          <Rows feed={feed} filter={wanted} q={q} onScroll={setScrolled} />
        ) : (
          <NotSearched onClear={() => search("")} />
        )}
      </Panel>
      {trace !== undefined && <Drawer trace={trace} feed={feed} />}
    </>
  );
}

interface RowsProps {
  readonly feed: RequestFeed;
  readonly filter: RecordFilter;
  readonly q: string;
  /** Called with whether the first rows are scrolled out of view. */
  onScroll(isScrolled: boolean): void;
}

function Rows({ feed, filter, q, onScroll }: RowsProps) {
  const { rows, older, fresh, isLoaded } = feed;
  const virtual = useVirtualRows({ count: rows.length, rowHeight: isNarrow.value ? 58 : 36 });
  const { isScrolled, end, covered, top } = virtual;
  useEffect(() => onScroll(isScrolled), [isScrolled]);
  useEffect(() => {
    if (isLoaded && older.state === "waiting" && end >= rows.length - nearEnd) older.more();
  });
  return (
    <>
      <HeldPill isHeld={isScrolled && isLive.value} fresh={fresh} covered={covered} top={top} />
      {!isLoaded && rows.length === 0 && <Loading lines={6} />}
      <RequestTable rows={rows} virtual={virtual} q={q} />
      {(isLoaded || rows.length > 0) && (
        <ListEnd
          pages={older}
          count={rows.length}
          most={mostOlder}
          what="requests"
          none={whyNone(filter, q !== "")}
        />
      )}
    </>
  );
}

/** Loads the next page this many rows before the end. */
const nearEnd = 20;

function CsvLink({ filter }: { filter: RecordFilter }) {
  const { from, to } = timeWindow.value;
  // A live window includes requests that arrived since its last step.
  const window = { from, to: isLive.value ? undefined : to };
  const href = urlOf("/_/_/data/requests.csv", { ...toSearchParams(filter), ...window });
  return (
    <a class="button plain" href={href} download title="All matching stored records in this window">
      <Icon name="download" />
      CSV
    </a>
  );
}

function Origin({ count }: { count: number }) {
  return (
    <>
      {formatWhole(count)} {count === 1 ? "request" : "requests"}, by end time.
      {isLive.value && ` ${describeSource()}`}
    </>
  );
}

const perSecond: RecentLimits["perSecond"] = 200;
const sharedPerSecond: RecentLimits["sharedPerSecond"] = 50;

/** Each instance shares fewer requests with the others than it remembers itself. */
function describeSource(): string {
  const here = snapshot.value?.instance;
  const chosen = chosenInstance.value;
  if (!instances.value?.is_shared || !hasSeveral.value || chosen === here)
    return here === undefined ? "" : `Live from ${here} (up to ${perSecond} per second).`;
  return chosen === undefined
    ? `Live from all instances (up to ${sharedPerSecond} per second from each of the others, a few seconds later).`
    : `Live from ${chosen} (up to ${sharedPerSecond} per second, a few seconds later).`;
}

function whyNone(filter: RecordFilter, isNarrowed: boolean): string {
  if (!isSearchable(filter))
    return "This search covers only requests in memory; stored records have a path, but no route.";
  return isNarrowed
    ? "No known request in this window matches."
    : "Requests appear here as soon as the application serves them.";
}

/** Suggestions: recently called routes, and values in the list. */
function useValues(rows: readonly RequestRow[]): (field: string) => readonly string[] {
  const lately = useMemo(
    () => ({ from: Date.now() - 6 * 3_600_000, instance: windowParams.peek().instance }),
    [],
  );
  const { data } = useQuery("/_/_/data/routes", lately);
  const routes = data?.routes.map(({ route }) => route) ?? [];
  return (field) => {
    if (field === "route") return routes;
    if (field === "instance") return instanceNames.value;
    if (field === "path")
      return routes.filter((route) => route.includes("/")).map((route) => route.slice(route.indexOf("/")));
    if (field === "ip") return rows.slice(0, 200).map(({ ip }) => ip);
    return field === "user_agent" ? rows.slice(0, 200).map(({ userAgent }) => userAgent) : [];
  };
}

function Drawer({ trace, feed }: { trace: string; feed: RequestFeed }) {
  const at = feed.rows.findIndex((row) => row.trace === trace);
  const stepTo = (row: RequestRow | undefined) =>
    row && (() => setParams({ trace: row.trace }, { replace: true }));
  return (
    <TraceDrawer
      trace={trace}
      row={feed.rows[at]}
      onClose={() => setParams({ trace: undefined })}
      onPrevious={at === -1 ? undefined : stepTo(feed.rows[at - 1])}
      onNext={at === -1 ? undefined : stepTo(feed.rows[at + 1])}
      hrefOf={hrefToTrace}
    />
  );
}
