import { rareWord } from "./fill/logs.ts";

const hour = 3_600_000;
const day = 24 * hour;
const sorts = ["-start_time", "-end_time", "-duration_ms", "status", "job_id", "job_name", "id"];
const perPage = 20;

/** A query as the dashboard or a program sends it. */
export interface Query {
  readonly name: string;
  readonly url: string;
  /** A different one each time, so that no shared response is measured. */
  urlAt?(round: number): string;
  /** Follows the cursor of a search until it is at the end, or has found something. */
  readonly isSearch?: boolean;
}

export interface Filled {
  readonly now: number;
  readonly logsFrom: number;
  readonly runsFrom: number;
  readonly runs: number;
  readonly trace: string;
}

/** Every query whose cost could depend on how much is stored. */
export function listQueries(filled: Filled): Query[] {
  return [...logQueries(filled), ...runQueries(filled), ...pageQueries(filled)];
}

function logQueries({ now, logsFrom, trace }: Filled): Query[] {
  const logs = "/_/_/data/logs";
  return [
    { name: "log: newest 100", url: `${logs}?limit=100` },
    { name: "log: word in the oldest block", url: `${logs}?text=${rareWord}&limit=100`, isSearch: true },
    { name: "log: word that is not there", url: `${logs}?text=quagga-nowhere&limit=100`, isSearch: true },
    { name: "log: trace ID in the oldest block", url: `${logs}?trace=${trace}&limit=100`, isSearch: true },
    { name: "log: trace ID that is not there", url: `${logs}?trace=abcdefghijklmnopqr`, isSearch: true },
    { name: "log: level=error, first page", url: `${logs}?level=error&limit=100` },
    { name: "log: volume, whole store", url: `${logs}/volume?from=${logsFrom}&to=${now}` },
    { name: "log: volume, 24 h", url: `${logs}/volume?from=${now - day}&to=${now}` },
    { name: "log: clients, 24 h", url: `${logs}/clients?from=${now - day}` },
  ];
}

function runQueries({ now, runsFrom, runs }: Filled): Query[] {
  const logs = "/api/cron/logs";
  const filters = {
    all: "",
    "last 20 s": `&from=${now - 20_000}`,
    "failed, older half": `&status=failed&to=${Math.floor((now + runsFrom) / 2)}`,
    "one job": "/job-001?",
  };
  const last = Math.max(1, Math.floor(runs / perPage));
  const sorted = sorts.flatMap((sort) =>
    Object.entries(filters).map(([name, filter]) => {
      const [path, query] = filter.startsWith("/") ? [`${logs}/job-001`, ""] : [logs, filter];
      return { name: `runs: ${name}, sort=${sort}`, url: `${path}?sort=${sort}${query}` };
    }),
  );
  return [
    ...sorted,
    ...sorts.map((sort) => ({
      name: `runs: last page, sort=${sort}`,
      url: `${logs}?sort=${sort}&page=${last}`,
    })),
    { name: "runs: analytics", url: `${logs}/analytics` },
    { name: "runs: trace ID that is not there", url: `${logs}?trace_id=abcdefghijklmnopqr` },
  ];
}

function pageQueries({ now }: Filled): Query[] {
  const windows = { "24 h": day, "30 d": 30 * day, "365 d": 365 * day };
  const pages = ["requests", "routes", "errors", "slowest", "system", "visitors"];
  const route = `&route=${encodeURIComponent("GET /api/v1/things-3/{id}")}`;
  const own = Object.entries(windows).flatMap(([name, length]) => {
    const create = (title: string, page: string, more = "") => {
      const urlAt = (round: number) =>
        `/_/_/data/${page}?from=${now - length - round * 61_000}&to=${now}${more}`;
      return { name: `page: ${title}, ${name}`, url: urlAt(0), urlAt };
    };
    return [...pages.map((page) => create(page, page)), create("requests of a route", "requests", route)];
  });
  const others = ["now", "cron", "cron/timeline", "config"];
  return [...own, ...others.map((page) => ({ name: `page: ${page}`, url: `/_/_/data/${page}` }))];
}
