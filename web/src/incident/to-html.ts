import type { ErrorDetail, RequestStats } from "../../../src/features/metrics/wire.ts";
import { describeChange } from "../data/audit-log.ts";
import { nameCause, nameFunction } from "../data/stalls.ts";
import { capitalize } from "../format/capitalize.ts";
import { showControls } from "../format/control-characters.ts";
import { formatCount, formatMs, formatPercent, formatRate, formatSpan } from "../format/numbers.ts";
import { formatRoute } from "../format/routes.ts";
import type { Incident } from "./incident.ts";

/** A page that opens without the server and without scripts. Everything in it is text. */
export function toHtml(incident: Incident): string {
  const { from, to, address, savedAt, routes, errors, slowest, stalls, records, runs, changes } = incident;
  const title = `Incident, ${moment(from)} to ${moment(to)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(formatSpan(to - from))}, times in UTC. Saved ${escapeHtml(moment(savedAt))} from
<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>.</p>
${summary(incident)}
${charts(incident)}
<h2>Releases, restarts and settings</h2>
${list(changes.map((change) => `${moment(change.at)}: ${describeChange(change)}`))}
<h2>Errors</h2>
${errors.map(errorPart).join("") || none}
<h2>Routes</h2>
${table(
  ["Route", "Calls", "p95", "p95 before", "Errors"],
  routes.routes.map((route) => [
    formatRoute(route.route),
    formatCount(route.count),
    ms(route.p95_ms),
    ms(route.previous_p95_ms),
    formatPercent(shareOfErrors(route)),
  ]),
)}
<h2>Slowest requests</h2>
${table(
  ["Time", "Request", "Status", "Duration", "Trace"],
  slowest.map(({ time, method, path, status, duration_ms, trace_id }) => [
    moment(time),
    `${method} ${path}`,
    String(status),
    ms(duration_ms),
    trace_id,
  ]),
)}
<h2>Stalls of the event loop</h2>
${table(
  ["Time", "Duration", "Cause", "Function", "Trace"],
  stalls.map((stall) => [
    moment(stall.started_at),
    ms(stall.duration_ms),
    nameCause(stall),
    nameFunction(stall) ?? "",
    stall.cause?.trace_id ?? "",
  ]),
)}
<h2>Runs of jobs</h2>
${table(
  ["Started", "Job", "Status", "Duration"],
  runs.map(({ start_time, end_time, job_name, status }) => [
    moment(start_time),
    job_name,
    status,
    end_time === undefined ? "–" : ms(end_time - start_time),
  ]),
)}
<h2>Warnings and errors in the log</h2>
${table(
  ["Time", "Level", "Message", "Trace"],
  records.map(({ time, level, msg, trace_id, error }) => [
    moment(Date.parse(time)),
    level,
    [msg, messageOf(error)].filter(Boolean).join(": "),
    typeof trace_id === "string" ? trace_id : "",
  ]),
)}
</body>
</html>
`;
}

const none = "<p>None.</p>";

function summary({ health, requests: { totals } }: Incident): string {
  const reasons = health.reasons.map(
    ({ message, since, until }) => `${message} (${clock(since)}${until ? ` to ${clock(until)}` : ""})`,
  );
  const numbers = [
    `${formatCount(totals.count)} requests`,
    `${formatPercent(shareOfErrors(totals))} errors`,
    ...(totals.p95_ms === undefined ? [] : [`p95 ${formatMs(totals.p95_ms)}`]),
  ];
  return `<h2>${escapeHtml(capitalize(health.status))}</h2>
${list(reasons)}
<p>${escapeHtml(numbers.join(", "))}</p>`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return showControls(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/** Independent of the settings of the users who save and open the file. */
function moment(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

function clock(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}

const ms = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));

function shareOfErrors({ count, status_5xx }: Pick<RequestStats, "count" | "status_5xx">): number {
  return count === 0 ? 0 : status_5xx / count;
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : "";
}

function list(items: readonly string[]): string {
  if (items.length === 0) return none;
  return `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return none;
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
  return `<table><thead><tr>${cells(columns, "th")}</tr></thead><tbody>${body}</tbody></table>`;
}

function errorPart({ type, message, origin, count, stack, causes, samples }: ErrorDetail): string {
  const traces = samples.slice(0, 5).map(({ trace_id }) => trace_id);
  const chain = causes.map((cause) => `Caused by ${cause.type}: ${cause.message}\n${cause.stack}`);
  return `<details><summary><b>${escapeHtml(type)}</b> in ${escapeHtml(origin)}, ${escapeHtml(formatCount(count))} times:
${escapeHtml(message)}</summary><pre>${[stack, ...chain]
    .flatMap((text) => text.split("\n"))
    .map(escapeHtml)
    .join("\n")}</pre>
<p>Traces: ${escapeHtml(traces.join(", "))}</p></details>`;
}

const width = 900;
const height = 120;

function charts({ requests, changes }: Incident): string {
  const { points, step_ms, from, to } = requests;
  const seconds = step_ms / 1_000;
  const starts = changes
    .filter(({ kind }) => kind === "start")
    .map(({ at }) => ((at - from) / (to - from)) * width);
  const rate = (name: "count" | "status_5xx") => points.map((point) => point[name] / seconds);
  return [
    chart("Requests per second", rate("count"), formatRate, starts),
    chart("Errors (5xx) per second", rate("status_5xx"), formatRate, starts),
    chart(
      "Latency p95",
      points.map(({ p95_ms }) => p95_ms ?? null),
      formatMs,
      starts,
    ),
  ].join("");
}

/** A line, with vertical lines for starts of the application. */
function chart(
  title: string,
  values: readonly (number | null)[],
  format: (value: number) => string,
  starts: readonly number[],
): string {
  const most = Math.max(...values.map((value) => value ?? 0), 0);
  const step = width / Math.max(1, values.length - 1);
  const points = values
    .map(
      (value, index) =>
        `${(index * step).toFixed(1)},${(height - ((value ?? 0) / (most || 1)) * height).toFixed(1)}`,
    )
    .join(" ");
  const lines = starts
    .map((x) => `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="0" y2="${height}"/>`)
    .join("");
  return `<figure><figcaption>${escapeHtml(title)}, at most ${escapeHtml(format(most))}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${lines}<polyline points="${points}"/></svg></figure>
`;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { margin-top: 2rem; font-size: 1.1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid #8884; text-align: left; overflow-wrap: anywhere; vertical-align: top; }
pre { overflow-x: auto; font-size: 0.85rem; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; background: #8881; }
polyline { fill: none; stroke: #4263eb; stroke-width: 1.5; } line { stroke: #845ef7; stroke-dasharray: 4; }
`;
