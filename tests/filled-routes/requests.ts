import type { Answer, Ask } from "./application.ts";
import type { Filled } from "./fill.ts";
import { parameterValues, pathValues, routeValues } from "./values.ts";

type Query = Readonly<Record<string, string>>;

/** Parameters that do not choose rows, but how many and which part of them. */
const paging = ["page", "perPage", "limit", "points", "cursor", "sort"];
/** An export of everything would take seconds. */
const mostRecords = 1_000;

/** The URLs of a route with its path values. */
export function urlsOf(path: string, filled: Filled): string[] {
  if (!path.includes("{")) return [path];
  const values = pathValues(filled)[path];
  if (values === undefined) throw new Error(`Add values for the path ${path} to pathValues.`);
  return values.map((value) => path.replace(/\{\w+\}/, value));
}

/**
 * Calls a route with every value of every parameter, each filter with every order, and each of these with the first, a
 * middle and the last page. The application itself shows which parameters it reads and which values it expects.
 */
export async function callRoute(
  path: string,
  url: string,
  filled: Filled,
  ask: Ask,
  onAnswer: (url: string, answer: Answer) => void,
): Promise<void> {
  const send = async (query: Query): Promise<Answer> => {
    const full = Object.keys(query).length === 0 ? url : `${url}?${new URLSearchParams(query)}`;
    const answer = await ask(full);
    onAnswer(full, answer);
    return answer;
  };
  const { values, base } = await readParameters(path, url, filled, ask);
  await send(base);
  const limit: Query = values.limit ? { limit: `${Math.min(100, Number(values.limit.at(-1)))}` } : {};
  const all = { ...base, ...limit, ...(values.from && { from: "0" }) };
  for (const [name, some] of Object.entries(values))
    for (const value of some) await send({ ...all, [name]: value });
  const filters = Object.keys(values).filter((name) => !paging.includes(name) && !(name in base));
  for (const filter of [{}, ...filters.map((name) => ({ [name]: values[name]![0]! }))]) {
    for (const sort of values.sort ?? []) await callPages({ ...base, ...filter, sort }, send);
    if (values.perPage && !values.sort) await callPages({ ...base, ...filter }, send);
    if (values.cursor && !("to" in filter)) await callCursors({ ...all, ...filter, from: "0" }, filled, send);
  }
}

async function callPages(query: Query, send: (query: Query) => Promise<Answer>): Promise<void> {
  const first = JSON.parse((await send(query)).body) as { totalPages: number };
  const last = Math.max(1, first.totalPages);
  for (const page of new Set([Math.ceil(last / 2), last])) await send({ ...query, page: `${page}` });
}

/** A cursor of a page in the middle and of one near the end, and then the pages after them. */
async function callCursors(query: Query, filled: Filled, send: (query: Query) => Promise<Answer>) {
  const { now, logsFrom, runsFrom } = filled;
  for (const to of [now, (now + logsFrom) / 2, logsFrom + 3_600_000, runsFrom + 3 * 86_400_000]) {
    const { body } = await send({ ...query, to: `${to}` });
    const { cursor } = JSON.parse(body) as { cursor?: string };
    if (cursor !== undefined) await send({ ...query, cursor });
  }
}

interface Parameters {
  /** Empty for a cursor. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The required parameters. */
  readonly base: Query;
}

async function readParameters(path: string, url: string, filled: Filled, ask: Ask): Promise<Parameters> {
  const listed = { ...parameterValues(filled), ...routeValues[path] };
  const valuesOf = (name: string) => {
    const found = listed[name];
    if (found === undefined) throw new Error(`Add values for the parameter ${name} of ${path} to values.ts.`);
    return found;
  };
  // Without a query, there are no parameters to read.
  const first = await ask(`${url}?unknown=1`);
  const base: Record<string, string> = {};
  for (const [name, { code }] of problemsOf(first)) if (code === "required") base[name] = valuesOf(name)[0]!;
  const { parameters } =
    Object.keys(base).length > 0 ? await ask(`${url}?${new URLSearchParams(base)}`) : first;
  const values: Record<string, readonly string[]> = {};
  for (const name of parameters) {
    const refused = await ask(`${url}?${new URLSearchParams({ ...base, [name]: "~" })}`);
    const problem = new Map(problemsOf(refused)).get(name);
    if (problem?.code === "unsupported") continue;
    values[name] = name === "cursor" ? [] : (expectedValues(problem?.message) ?? valuesOf(name));
  }
  return { values, base };
}

function problemsOf({ status, body }: Answer): [name: string, problem: { code: string; message: string }][] {
  return status === 400 ? Object.entries((JSON.parse(body) as { data: object }).data) : [];
}

/** The values that the message of a refused one lists. */
function expectedValues(message = ""): readonly string[] | undefined {
  const expected = /must be (.*)\.$/.exec(message)?.[1] ?? "";
  if (expected === "true or false") return ["true", "false"];
  const [, fields] = /^a list of (.*), each with a minus/.exec(expected) ?? [];
  if (fields) return fields.split(", ").flatMap((field) => [`-${field}`, field]);
  const [, list] = /^(?:one or more of|one of) (.*?)(?:, separated by commas)?$/.exec(expected) ?? [];
  if (list && !list.includes(" or ")) return list.split(", ");
  const [, only] = /^(\w+) or omitted$/.exec(expected) ?? [];
  if (only) return [only];
  const [, least, most] = /^an integer from (\d+) to (\d+)$/.exec(expected) ?? [];
  if (most) return [least!, `${Math.min(Number(most), mostRecords)}`];
  return expected === "an integer of at least 1" ? ["1", "2"] : undefined;
}
