import { useState } from "preact/hooks";
import type { AccessSummary, RankedName } from "../../../../src/features/access/wire.ts";
import { formatCount, formatPercent } from "../../format/numbers.ts";
import { formatRelative } from "../../format/times.ts";
import { param } from "../../state/address.ts";
import { Button } from "../../ui/controls/button.tsx";
import { type RankedRow, RankingTable } from "../../ui/lists/ranking.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useNow } from "../../ui/time.tsx";
import { type NameFilter, toggleName } from "./filter-params.ts";

/** Client addresses and accounts, those with the most failures first. */
export function Rankings({ summary }: { summary: AccessSummary }) {
  return (
    <div class="grid">
      <Ranking
        title="Top addresses"
        filter="address"
        names={summary.addresses}
        none="No event has an address."
      />
      <Ranking
        title="Top accounts"
        filter="account"
        names={summary.accounts}
        none="No event names an account."
      />
    </div>
  );
}

interface RankingProps {
  readonly title: string;
  readonly filter: NameFilter;
  readonly names: readonly RankedName[];
  readonly none: string;
}

const shownAtFirst = 5;

function Ranking({ title, filter, names, none }: RankingProps) {
  const [isWhole, setWhole] = useState(false);
  const now = useNow(60_000);
  const most = Math.max(1, ...names.map(({ failures }) => failures));
  const shown = isWhole ? names : names.slice(0, shownAtFirst);
  return (
    <Panel title={title} class="gap-4">
      {names.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <RankingTable
          caption={`${title}, most failures first`}
          labels={["Failures", "All"]}
          rows={shown.map((name) => toRow(name, filter, most, now))}
          colour="red"
        />
      )}
      {names.length > shownAtFirst && (
        <Button look="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${names.length}`}
        </Button>
      )}
    </Panel>
  );
}

function toRow(ranked: RankedName, filter: NameFilter, most: number, now: number): RankedRow {
  const { name, count, failures, last_time } = ranked;
  const share = formatPercent(failures / count);
  return {
    name,
    share: failures / most,
    title: `${name}: ${share} failures, last ${formatRelative(Math.min(last_time, now), now)}`,
    values: [formatCount(failures), formatCount(count)],
    isPressed: param(filter) === name,
    onPress: () => toggleName(filter, name),
  };
}
