import "./visitors.css";
import type { Visits } from "../../../../src/features/visitors/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { preset, refreshMs, timeWindow } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { useNow } from "../../ui/time.tsx";
import { chosenFilters, chosenKind, isComparing, whoParams } from "./filter-params.ts";
import { Filters } from "./filters.tsx";
import { IncompleteNote } from "./incomplete-note.tsx";
import { KindChoice } from "./kind-choice.tsx";
import { NoViews } from "./no-views.tsx";
import { Privacy } from "./privacy.tsx";
import { Rankings } from "./rankings.tsx";
import { Tiles } from "./tiles.tsx";
import { Trend } from "./trend.tsx";
import { WindowCounted } from "./window-counted.tsx";

/** Anonymous statistics of page views and visitors. */
export function Visitors() {
  const query = useQuery("/_/_/data/visitors", { ...windowAsked(), ...whoParams() });
  const isOff = query.data?.enabled === false;
  return (
    <>
      <PageHead title="Visitors">{!isOff && <LiveNow />}</PageHead>
      <Loaded query={query} lines={10}>
        {(stats) => (stats.enabled ? <Counted visits={stats} /> : <SwitchedOff />)}
      </Loaded>
      {query.data && <Privacy />}
    </>
  );
}

/**
 * A live window ends slightly before now. Without the added step, the current hour would be missing in its first
 * minute.
 */
function windowAsked(): { from: number; to: number } {
  const { from, to } = timeWindow.value;
  return { from, to: preset.value === undefined ? to : to + refreshMs.value };
}

const hourMs = 3_600_000;

/** Loaded separately, because it is about the current moment and not about the window. */
function LiveNow() {
  // Tolerates a fast clock of the browser.
  const from = Math.floor(useNow(60_000) / hourMs - 1) * hourMs;
  const { data } = useQuery("/_/_/data/visitors", { from, kind: chosenKind() }, { every: 10_000 });
  if (!data?.enabled) return null;
  return (
    <p
      class={`visit-live row medium ${data.live > 0 ? "good" : "quiet"}`}
      title="Visitors of the last five minutes"
    >
      <span class={data.live > 0 ? "pulse" : "pulse still"} aria-hidden />
      <b>{formatCount(data.live)}</b> here now
      <span class="visually-hidden">, in the last five minutes</span>
    </p>
  );
}

function Counted({ visits }: { visits: Visits }) {
  const isEmpty = visits.totals.views === 0;
  return (
    <>
      <div class="toolbar filled">
        <KindChoice counts={visits.kinds} />
        <CompareButton />
        <WindowCounted visits={visits} />
      </div>
      {chosenFilters().length > 0 && <Filters />}
      {param("instance") !== undefined && (
        <p class="hint">Visitors are counted over all instances together, whichever one is chosen above.</p>
      )}
      {isEmpty ? <NoViews visits={visits} /> : <Charts visits={visits} />}
      <IncompleteNote limits={visits.limits} />
    </>
  );
}

function Charts({ visits }: { visits: Visits }) {
  return (
    <>
      <Tiles totals={visits.totals} previous={visits.previous} />
      <Trend visits={visits} />
      <Rankings visits={visits} />
    </>
  );
}

function CompareButton() {
  const isOn = isComparing();
  return (
    <Button
      class={`button plain ${isOn ? "chosen" : ""}`}
      aria-pressed={isOn}
      title="Compare with the previous period of the same length"
      onClick={() => setParams({ compare: isOn ? undefined : 1 }, { replace: true })}
    >
      Compare
    </Button>
  );
}

function SwitchedOff() {
  return (
    <Panel title="Not counted">
      <Empty
        icon="people"
        title="Page views are not being counted"
        action={
          <a class="button primary" href={hrefTo("config", { option: "visitors.enabled" })}>
            Open the configuration
          </a>
        }
      >
        Counting is disabled by <code>visitors.enabled</code>. You can enable it while the application runs.
        Earlier views are not counted.
      </Empty>
    </Panel>
  );
}
