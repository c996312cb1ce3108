import type { RefObject } from "preact";
import { maskIp, type RequestRow } from "../../data/request-rows.ts";
import { formatBytes, formatMs } from "../../format/numbers.ts";
import { formatDay, formatPrecise } from "../../format/times.ts";
import { hrefTo } from "../../state/address.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { CopyButton } from "../../ui/controls/button.tsx";
import type { VirtualRows } from "../../ui/lists/virtual-rows.ts";
import { Method, StatusCode } from "../../ui/status.tsx";

interface RequestTableProps {
  readonly rows: readonly RequestRow[];
  readonly virtual: VirtualRows;
  readonly q: string;
}

const columns = [
  "Time",
  "Method",
  "Path",
  "Status",
  "Duration",
  "Size",
  "Client",
  "Instance",
  "Trace",
] as const;

/** Renders only visible rows and reserves the space of the others. The arrow keys move between rows. */
export function RequestTable({ rows, virtual, q }: RequestTableProps) {
  const { first, end, before, after, top, covered } = virtual;
  const shown = columns.filter((name) => name !== "Instance" || hasSeveral.value);
  return (
    // A table cannot be narrower than its columns, so the wrapper is hidden instead.
    <div class={rows.length === 0 ? "visually-hidden" : ""}>
      <table
        class={`requests ${hasSeveral.value ? "of-several" : ""}`}
        aria-rowcount={rows.length + 1}
        onKeyDown={moveFocus}
      >
        <caption class="visually-hidden">Requests, the newest first</caption>
        <thead class="phone-hidden">
          <tr aria-rowindex={1}>
            {shown.map((name) => (
              <th key={name} scope="col" class={`col-${name.toLowerCase()}`} style={{ top: `${covered}px` }}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={top as RefObject<HTMLTableSectionElement>} aria-hidden="true">
          <Room height={before} />
        </tbody>
        <tbody>
          {rows.slice(first, end).map((row, index) => (
            <Row key={row.trace} row={row} q={q} number={first + index + 2} />
          ))}
        </tbody>
        <tbody aria-hidden="true">
          <Room height={after} />
        </tbody>
      </table>
    </div>
  );
}

function Room({ height }: { height: number }) {
  return (
    <tr class="room">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}

function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const link = (event.target as Element).closest("a");
  if (step === 0 || !link) return;
  const links = [...(event.currentTarget as Element).querySelectorAll("a")];
  const next = links[links.indexOf(link) + step];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.closest("tr")?.scrollIntoView({ block: "nearest" });
}

function Row({ row, q, number }: { row: RequestRow; q: string; number: number }) {
  const { trace, time, method, path, route, status, durationMs, bytesOut, ip, instance } = row;
  return (
    <tr aria-rowindex={number}>
      <td class="col-time quiet">
        <time dateTime={new Date(time).toISOString()} title={formatDay(time)}>
          {formatPrecise(time)}
        </time>
      </td>
      <td class="col-method">
        <Method method={method} />
      </td>
      <th scope="row" class="col-path">
        <a
          class="mono cover"
          href={hrefTo("requests", { q, trace })}
          title={route === undefined ? path : `${path}, route ${route}`}
        >
          {path}
        </a>
      </th>
      <td class="col-status">
        <StatusCode status={status} />
      </td>
      <td class="col-duration">
        <span class={`meter ${toneOf(durationMs)}`} aria-hidden="true">
          <span style={{ width: `${lengthOf(durationMs)}%` }} />
        </span>
        <span>{formatMs(durationMs)}</span>
      </td>
      <td class="col-size quiet">{bytesOut === undefined ? "–" : formatBytes(bytesOut)}</td>
      <td class="col-client quiet">{maskIp(ip)}</td>
      {hasSeveral.value && <td class="col-instance quiet">{instance ?? "–"}</td>}
      <td class="col-trace quiet slim">
        <code>{trace}</code>
        <CopyButton text={trace} name={`Copy the trace ID ${trace}`} />
      </td>
    </tr>
  );
}

/** The length of a bar on a logarithmic scale, from 0.1 ms to 10 s. */
function lengthOf(milliseconds: number): number {
  return Math.min(100, Math.max(2, ((Math.log10(Math.max(0.1, milliseconds)) + 1) / 5) * 100));
}

function toneOf(milliseconds: number): string {
  if (milliseconds >= 1_000) return "red";
  return milliseconds >= 200 ? "amber" : "blue";
}
