import type { Stall } from "../../../../src/features/metrics/wire/stalls.ts";
import type { StallList } from "../../../../src/features/metrics/wire.ts";
import { Lanes, type Span } from "../../charts/lanes.tsx";
import { nameCause } from "../../data/stalls.ts";
import { formatCount, formatMs } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { timeWindow } from "../../state/time-window.ts";
import { Panel } from "../../ui/panel.tsx";
import { StallDetail } from "../../ui/stall-detail.tsx";
import { Ago } from "../../ui/time.tsx";

const shown = 6;

/** The stalls of the window on the axis of the charts. */
export function StallLane({ stalls }: { stalls: readonly Stall[] }) {
  if (stalls.length === 0) return null;
  const spans = stalls.map((stall): Span => {
    const href = hrefOf(stall);
    return {
      id: keyOf(stall),
      from: stall.started_at,
      to: stall.started_at + stall.duration_ms,
      look: "violet",
      title: `${nameCause(stall)}: blocked for ${formatMs(stall.duration_ms)}`,
      ...(href && { href }),
    };
  });
  return (
    <figure class="cron-lane stack gap-4" aria-label="Event loop stalls">
      <figcaption class="strong">Stalls</figcaption>
      <Lanes window={timeWindow.value} spans={spans} />
    </figure>
  );
}

/** What blocked the event loop, longest first. */
export function Stalls({ list }: { list: StallList | undefined }) {
  if (!list || list.count === 0) return null;
  const { count, total_ms, stalls } = list;
  const longest = stalls.toSorted((one, other) => other.duration_ms - one.duration_ms).slice(0, shown);
  return (
    <Panel
      title="Stalls"
      hint={`The event loop was blocked ${count === 1 ? "once" : `${formatCount(count)} times`}, for ${formatMs(total_ms)} in total. The longest are listed.`}
    >
      <ul class="attention divided">
        {longest.map((stall) => (
          <StallItem key={keyOf(stall)} stall={stall} />
        ))}
      </ul>
    </Panel>
  );
}

function StallItem({ stall }: { stall: Stall }) {
  const href = hrefOf(stall);
  const name = nameCause(stall);
  return (
    <li>
      <div class="stack gap-2">
        <span class="medium">{href ? <a href={href}>{name}</a> : name}</span>
        <StallDetail stall={stall} />
      </div>
      <span class="attention-count">
        <b>{formatMs(stall.duration_ms)}</b>
        <span class="hint">
          <Ago time={stall.started_at} />
        </span>
      </span>
    </li>
  );
}

/** The trace or run that caused it. */
function hrefOf({ cause }: Stall): string | undefined {
  if (!cause) return undefined;
  return cause.kind === "run"
    ? hrefTo("cron", { job: cause.job_id, run: cause.run_id })
    : hrefTo("requests", { trace: cause.trace_id });
}

const keyOf = ({ started_at, instance }: Stall) => `${started_at} ${instance}`;
