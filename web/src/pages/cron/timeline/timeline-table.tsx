import { useState } from "preact/hooks";
import { describeMark } from "./gantt-lane.tsx";
import type { LaneJob, Mark } from "./timeline-marks.ts";

interface TimelineTableProps {
  readonly jobs: readonly LaneJob[];
  readonly marks: ReadonlyMap<string, readonly Mark[]>;
  readonly now: number;
}

const mostRows = 300;

/** The timeline as a table, limited to the marks nearest to now. Rendered when opened. */
export function TimelineTable({ jobs, marks, now }: TimelineTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="gantt-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="hint">As a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section class="chart-table-scroll chart-table" tabIndex={0} aria-label="Timeline, as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Event</th>
              </tr>
            </thead>
            <tbody>
              {nearestRows(jobs, marks, now).map(({ name, mark }) => (
                <tr key={`${name} ${mark.id}`}>
                  <th scope="row">{name}</th>
                  <td>{describeMark(mark)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

function nearestRows(jobs: readonly LaneJob[], marks: TimelineTableProps["marks"], now: number) {
  return jobs
    .flatMap(({ id, name }) => (marks.get(id) ?? []).map((mark) => ({ name, mark })))
    .sort((one, other) => Math.abs(one.mark.from - now) - Math.abs(other.mark.from - now))
    .slice(0, mostRows)
    .sort((one, other) => one.mark.from - other.mark.from);
}
