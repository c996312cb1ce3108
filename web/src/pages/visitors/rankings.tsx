import type { FilterName, Lists, Ranked, Visits } from "../../../../src/features/visitors/wire.ts";
import { formatCount, formatPercent } from "../../format/numbers.ts";
import { chosenKind } from "./filter-params.ts";
import { type Measure, Ranking } from "./ranking.tsx";

interface ListOptions {
  readonly list: keyof Lists;
  readonly title: string;
  readonly filter?: FilterName;
  /** Shown if the list is empty. */
  readonly none: string;
}

const lists: readonly ListOptions[] = [
  { list: "pages", title: "Pages", filter: "page", none: "No pages were viewed." },
  { list: "entry_pages", title: "Entry pages", none: "Not known while a single page is chosen." },
  { list: "referrers", title: "Referrers", filter: "referrer", none: "No referrers." },
  { list: "browsers", title: "Browsers", filter: "browser", none: "No browser was recognized." },
  {
    list: "operating_systems",
    title: "Operating systems",
    filter: "os",
    none: "Programs do not name their system.",
  },
  { list: "devices", title: "Devices", filter: "device", none: "Programs have no device." },
];

/** Pages, referrers, browsers, systems and devices. */
export function Rankings({ visits }: { visits: Visits }) {
  return (
    <div class="grid">
      {lists.map(({ list, title, ...rest }) => {
        const items = visits[list] ?? [];
        return (
          <Ranking
            key={list}
            {...rest}
            list={list}
            title={titleOf(list, title)}
            items={items}
            measures={measuresFor(list, items, visits)}
            visits={visits}
          />
        );
      })}
    </div>
  );
}

/** For programs, the list of browsers contains the names of the programs. */
function titleOf(list: keyof Lists, title: string): string {
  return list === "browsers" && chosenKind() !== "human" ? "Programs" : title;
}

const views: Measure = { label: "Views", value: (item) => item.views, format: formatCount };

function bounceRate({ bounces, sessions }: Ranked): number | undefined {
  return bounces === undefined || !sessions ? undefined : bounces / sessions;
}

/** The columns of a list. The first determines the rank and the bars. */
function measuresFor(list: keyof Lists, items: readonly Ranked[], { totals }: Visits): readonly Measure[] {
  const knowsVisitors = items.some(({ visitor_days }) => visitor_days !== undefined);
  if (!knowsVisitors) return [{ ...views, total: totals.views }];
  const visitors: Measure = {
    label: "Visitors",
    value: (item) => item.visitor_days,
    format: formatCount,
    total: totals.visitor_days ?? 0,
  };
  if (list === "entry_pages")
    return [visitors, { label: "Bounce", value: bounceRate, format: formatPercent }];
  return [visitors, views];
}
