import { joinSome } from "../../lib/text/join-some.ts";
import { listDiagnostics, type ReportedDiagnostic } from "./diagnostics.ts";
import type { Docs } from "./docs.ts";
import { routeOf } from "./operations.ts";
import type { Endpoint } from "./registry/endpoint.ts";
import type { Version } from "./versions/version.ts";

export interface Checkup {
  /** Text output, one entry per line. */
  readonly lines: readonly string[];
  /** The number of unresolved points. */
  readonly diagnostics: number;
}

/** Summarizes how completely an application's handlers are documented, and lists the unresolved points. */
export function createCheckup(docs: Docs): Checkup {
  const versions = docs.list();
  const diagnostics = listDiagnostics(docs);
  if (versions.length === 0 && diagnostics.length === 0) return { lines: withoutVersions, diagnostics: 0 };
  const lines = [
    ...versions.map((version) => describeVersion(docs, version, diagnostics)),
    ...groupByCause(diagnostics).flatMap((group) => ["", ...describeGroup(group)]),
    ...noteCompiled(diagnostics),
    "",
    summarize(versions, diagnostics),
  ];
  return { lines, diagnostics: diagnostics.length };
}

const withoutVersions = [
  "This application has no routes, so there are no API documents to check. Register routes in a serve hook:",
  "",
  '  app.onServe(({ router }) => router.get("/hello", hello));',
];

/** How complete the document is for an operation, best first. */
const states = ["complete", "without schemas", "incomplete", "documented from the route only"] as const;
type State = (typeof states)[number];

function describeVersion(
  docs: Docs,
  { label, registry }: Version,
  diagnostics: readonly ReportedDiagnostic[],
): string {
  const { analysis } = docs.builder;
  const endpoints = registry.list();
  if (endpoints.length === 0) return `${label}: no operations`;
  const open = new Set(diagnostics.flatMap(({ routes }) => routes));
  const stateOf = (endpoint: Endpoint): State => {
    if (!analysis?.outlineOf(endpoint)) return "documented from the route only";
    if (open.has(routeOf(endpoint))) return "incomplete";
    return analysis.level === "exact" ? "complete" : "without schemas";
  };
  const groups = Map.groupBy(endpoints, stateOf);
  const shown = states.flatMap((state) => {
    const { length = 0 } = groups.get(state) ?? {};
    return length === 0 ? [] : [`${groups.size === 1 && length > 1 ? "all" : length} ${state}`];
  });
  return `${label}: ${count(endpoints.length, "operation")}, ${shown.join(", ")}`;
}

/** Points with the same cause and the same fix. Unread handlers come first: they lose the most. */
function groupByCause(diagnostics: readonly ReportedDiagnostic[]): ReportedDiagnostic[][] {
  const groups = [
    ...Map.groupBy(diagnostics, (point) => `${point.code} ${splitMessage(point).rest}`).values(),
  ];
  const rank = ([first]: ReportedDiagnostic[]) => (first?.isUnread ? 0 : 1);
  return groups.sort((one, other) => rank(one) - rank(other));
}

/** Messages about a field start with its name: "`total` is a bigint, …". */
function splitMessage({ message }: ReportedDiagnostic): { field: string; rest: string } {
  const [, field = "", rest = message] = /^(`[^`]+`) (.*)$/s.exec(message) ?? [];
  return { field, rest };
}

function describeGroup(group: readonly ReportedDiagnostic[]): string[] {
  const [first] = group as [ReportedDiagnostic];
  const { code, isUnread = false } = first;
  const { field, rest } = splitMessage(first);
  const rows = group.flatMap((point) =>
    routesOf(point).map((routes) => [placeOf(point), splitMessage(point).field, routes]),
  );
  return [
    rows.length === 1 ? code : `${code}, ${count(rows.length, isUnread ? "operation" : "place")}`,
    ...wrap(field ? `This field ${rest}` : rest).map((line) => `  ${line}`),
    ...alignColumns(rows).map((line) => `    ${line}`),
  ];
}

/** Rows as aligned lines, without empty columns and rows. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .filter((cell) => cell !== "")
      .join("  "),
  );
  return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}

/** A paragraph as lines that fit a terminal. */
function wrap(text: string, width = 100): string[] {
  return text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)|\\S+`, "gs")) ?? [];
}

function placeOf({ file, line }: ReportedDiagnostic): string {
  if (file === undefined) return "";
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * One line for each operation whose handler was not read. Other points share one line: middleware may have hundreds.
 */
function routesOf({ routes, isUnread = false }: ReportedDiagnostic): readonly string[] {
  return isUnread ? routes : [joinSome(routes)];
}

/** Compiled code without a source map is read as is, without the types of its source. */
function noteCompiled(diagnostics: readonly ReportedDiagnostic[]): string[] {
  const compiled = diagnostics.find(({ file = "" }) => /\.[cm]?js$/.test(file));
  if (!compiled) return [];
  return [
    "",
    ...wrap(
      `${compiled.file} is JavaScript, which has no types. If it is compiled from TypeScript, compile it with "sourceMap": true, or run annex doctor on the TypeScript file.`,
    ),
  ];
}

function summarize(versions: readonly Version[], diagnostics: readonly ReportedDiagnostic[]): string {
  if (diagnostics.length > 0)
    return `${count(diagnostics.length, "diagnostic")} found. The documents may be incomplete.`;
  const isEmpty = versions.every(({ registry }) => registry.size === 0);
  return isEmpty
    ? "No version has routes. Register them with setVersionRouteRegistrar."
    : "Everything is resolved.";
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
