import type { Visits } from "../../../../src/features/visitors/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { choosePreset, presets, timeWindow } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { chooseKind, chosenFilters, chosenKind, clearFilters } from "./filter-params.ts";
import { kindNames } from "./kind-choice.tsx";

/** Explains what would be shown here, with a link to the nearest available data. */
export function NoViews({ visits }: { visits: Visits }) {
  return (
    <Panel title="Page views">
      {chosenFilters().length > 0 ? <NothingMatches /> : <NothingSeen visits={visits} />}
    </Panel>
  );
}

function NothingMatches() {
  return (
    <Empty
      icon="filter"
      title="Nothing matches these filters"
      action={<Button onClick={clearFilters}>Clear the filters</Button>}
    >
      In this window, no view matches all filters above.
    </Empty>
  );
}

function NothingSeen({ visits: { kinds } }: { visits: Visits }) {
  const others = kinds.filter(({ kind, views }) => kind !== chosenKind() && views > 0);
  const { from, to } = timeWindow.value;
  return (
    <Empty
      icon="people"
      title={
        chosenKind() === "human" ? "No page views in this window" : `No views by ${labelFor(chosenKind())}`
      }
      action={
        <div class="actions">
          {others.map(({ kind, views }) => (
            <Button key={kind} onClick={() => chooseKind(kind)}>
              {kindNames[kind]}: {formatCount(views)} {views === 1 ? "view" : "views"}
            </Button>
          ))}
          {to - from < presets["30d"] && <Button onClick={() => choosePreset("30d")}>Last 30 days</Button>}
        </div>
      }
    >
      A view is an HTML page that a browser requested and received. Data, assets, redirects, errors and this
      dashboard do not count, so an application that serves only an API has no views.
    </Empty>
  );
}

function labelFor(kind: "human" | "bot" | "ai"): string {
  return kind === "ai" ? "AI crawlers" : "bots";
}
