import type { ComponentChildren } from "preact";
import type { Totals } from "../../../../src/features/visitors/wire.ts";
import { formatChange, formatCount, formatNumber, formatPercent } from "../../format/numbers.ts";
import { isComparing } from "./filter-params.ts";

interface TileProps {
  readonly label: string;
  readonly now: number | undefined;
  readonly before: number | undefined;
  format(value: number): string;
  /** Describes the change since the preceding period. */
  describe?(now: number, before: number): string;
  readonly note?: ComponentChildren;
}

/** Unknown values are not shown. */
function Tile({ label, now, before, format, describe = describeChange, note }: TileProps) {
  if (now === undefined) return null;
  return (
    <li class="visit-tile card stack gap-2">
      <p class="hint medium">{label}</p>
      <p class="metric cluster baseline">
        <span>{format(now)}</span>{" "}
        {before !== undefined && <span class="hint medium">{describe(now, before)}</span>}
      </p>
      {isComparing() && before !== undefined && (
        <p class="hint totals">
          <b>{format(before)}</b> before
        </p>
      )}
      {note && <p class="hint small">{note}</p>}
    </li>
  );
}

function describeChange(now: number, before: number): string {
  return before === 0 && now > 0 ? "no earlier data" : formatChange(now, before);
}

/** The difference of two shares is in percentage points, because a percentage of a percentage is misleading. */
function describePoints(now: number, before: number): string {
  const points = Math.round((now - before) * 100);
  return points === 0 ? "no change" : `${points > 0 ? "+" : "−"}${Math.abs(points)} pts`;
}

interface TilesProps {
  readonly totals: Totals;
  readonly previous: Totals;
}

/** The metrics of the window, each compared with the preceding period. */
export function Tiles({ totals, previous }: TilesProps) {
  const { bounces, sessions } = totals;
  return (
    <>
      <ul class="columns gap-8" aria-label="Metrics">
        <VisitorTile totals={totals} previous={previous} />
        <Tile label="Views" now={totals.views} before={previous.views} format={formatCount} />
        <Tile label="Sessions" now={sessions} before={previous.sessions} format={formatCount} />
        <Tile
          label={totals.visitors === undefined ? "Views per daily visitor" : "Views per visitor"}
          now={totals.views_per_visitor}
          before={previous.views_per_visitor}
          format={formatNumber}
        />
        <Tile
          label="Bounce rate"
          now={totals.bounce_rate}
          before={previous.bounce_rate}
          format={formatPercent}
          describe={describePoints}
          note={
            sessions !== undefined &&
            `${formatCount(bounces ?? 0)} of ${formatCount(sessions)} left after one view`
          }
        />
        <ReturningTile totals={totals} previous={previous} />
      </ul>
      <Explanation totals={totals} />
    </>
  );
}

function VisitorTile({ totals, previous }: TilesProps) {
  const isOneDay = totals.visitors !== undefined;
  return (
    <Tile
      label={isOneDay ? "Visitors" : "Daily visitors (sum)"}
      now={totals.visitors ?? totals.visitor_days}
      // Only values of the same kind can be compared.
      before={isOneDay ? previous.visitors : previous.visitor_days}
      format={formatCount}
    />
  );
}

function ReturningTile({ totals, previous }: TilesProps) {
  const { new: fresh, returning, visitor_days: all = 0 } = totals;
  if (fresh === undefined || returning === undefined) return null;
  const share = all === 0 ? 0 : (fresh / all) * 100;
  return (
    <li class="visit-tile card stack gap-2">
      <p class="hint medium">New and returning</p>
      <p class="metric cluster baseline">
        <span>{formatCount(fresh)}</span> <span class="visit-beside">new</span>
      </p>
      {isComparing() && previous.new !== undefined && (
        <p class="hint totals">
          <b>
            {formatCount(previous.new)} / {formatCount(previous.returning ?? 0)}
          </b>{" "}
          before
        </p>
      )}
      <span class="visit-split meter teal" aria-hidden>
        <span style={{ width: `${share}%` }} />
      </span>
      <p class="hint small">{formatCount(returning)} returning (same day)</p>
    </li>
  );
}

/** Explains why the number of visitors is not shown. */
function Explanation({ totals }: { totals: Totals }) {
  if (totals.visitor_days === undefined) {
    return (
      <p class="hint">
        For a single page, only views are known: visitors are counted per visit, not per page.
      </p>
    );
  }
  if (totals.visitors !== undefined) return null;
  return (
    <p class="hint">
      The daily visitors are added up. Visitors are not recognized across days, so a person who comes on three
      days counts three times.
    </p>
  );
}
