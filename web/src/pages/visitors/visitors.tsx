import "./visitors.css";
import { useQuery } from "../../data/query.ts";
import { formatCount } from "../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { preset, refreshMs, timeWindow } from "../../state/time-window.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/notice.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { useNow } from "../../ui/time.tsx";
import { Filters } from "./filters.tsx";
import { KindChoice } from "./kind-choice.tsx";
import { LeftOut } from "./left-out.tsx";
import { NoViews } from "./no-views.tsx";
import { Privacy } from "./privacy.tsx";
import { chosenFilters, chosenKind, isComparing, whoParams } from "./question.ts";
import { Rankings } from "./rankings.tsx";
import { type Visits, type VisitsAnswer, visitsPath } from "./shapes.ts";
import { Tiles } from "./tiles.tsx";
import { Trend } from "./trend.tsx";
import { WindowCounted } from "./window-counted.tsx";

/** Anonymous statistics of page views and visitors. */
export function Visitors() {
  const query = useQuery<VisitsAnswer>(visitsPath, { ...windowAsked(), ...whoParams() });
  const isOff = query.data?.enabled === false;
  return (
    <>
      <PageHead title="Visitors">{!isOff && <LiveNow />}</PageHead>
      <Loaded query={query} lines={10}>
        {(answer) => (answer.enabled ? <Counted visits={answer} /> : <SwitchedOff />)}
      </Loaded>
      <Privacy />
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
  const { data } = useQuery<VisitsAnswer>(visitsPath, { from, kind: chosenKind() }, { every: 10_000 });
  if (!data?.enabled) return null;
  return (
    <p class={`visit-live ${data.live > 0 ? "good" : "quiet"}`} title="Visitors of the last five minutes">
      <span class={data.live > 0 ? "pulse" : "visit-still"} aria-hidden />
      <b>{formatCount(data.live)}</b> here now
      <span class="visually-hidden">, in the last five minutes</span>
    </p>
  );
}

function Counted({ visits }: { visits: Visits }) {
  const isEmpty = visits.totals.views === 0;
  return (
    <>
      <div class="visit-bar">
        <KindChoice counts={visits.kinds} />
        <CompareButton />
        <WindowCounted visits={visits} />
      </div>
      {chosenFilters().length > 0 && <Filters />}
      {param("instance") !== undefined && (
        <p class="hint">Visitors are counted over all instances together, whichever one is chosen above.</p>
      )}
      {isEmpty ? <NoViews visits={visits} /> : <Figures visits={visits} />}
      <LeftOut limits={visits.limits} />
    </>
  );
}

function Figures({ visits }: { visits: Visits }) {
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
        icon="visitors"
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
