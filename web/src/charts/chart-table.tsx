import { useState } from "preact/hooks";
import { formatClock, formatDay } from "../format/times.ts";
import type { ChartLine } from "./chart.ts";

interface ChartTableProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  textOf(line: ChartLine, index: number): string;
}

/** The values of a chart as a table, rendered when it is opened. */
export function ChartTable({ title, times, lines, textOf }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section class="chart-table-scroll" tabIndex={0} aria-label={`${title}, values`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">{`${formatDay(time)}, ${formatClock(time)}`}</th>
                  {lines.map((line) => (
                    <td key={line.label}>{textOf(line, index)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
