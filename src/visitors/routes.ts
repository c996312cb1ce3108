import { requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { toCsv } from "../lib/csv.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { readWindow } from "../lib/time-window.ts";
import { type FileName, fileNames, toAnswer, toTable } from "./answers.ts";
import { dayMs } from "./days.ts";
import { VISITORS_NOT_COUNTED } from "./errors.ts";
import { filterNames, type Kind, kinds, type Question, type Summary } from "./messages.ts";

export interface VisitorRoutesParts {
  readonly clock: Clock;
  status(): { enabled: boolean; dropped: number };
  summarize(question: Question): Promise<Summary>;
}

/** Maximum length of a list in the dashboard and in an export. */
const topOfPage = 50;
const topOfFile = 1_000;
const longestFilter = 200;

/** Data routes for the dashboard. */
export function mountVisitors(root: RootRouter, { clock, status, summarize }: VisitorRoutesParts): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached);

  data.get("/visitors", async (e) => {
    if (!status().enabled) return e.json(200, { enabled: false });
    const question = readQuestion(e, { now: clock.now(), top: topOfPage, byDay: false });
    return e.json(200, toAnswer(question, await summarize(question), status().dropped));
  });

  data.get("/visitors.csv", async (e) => {
    if (!status().enabled) throw VISITORS_NOT_COUNTED();
    const list = readList(e);
    const question = readQuestion(e, { now: clock.now(), top: topOfFile, byDay: list === "days" });
    const { header, rows } = toTable(list, await summarize(question));
    e.setHeader("Content-Disposition", `attachment; filename="visitors-${list}.csv"`);
    return e.bytes(200, "text/csv; charset=utf-8", Buffer.from(toCsv(header, rows)));
  });
}

function readQuestion(
  e: RequestEvent<never>,
  { now, top, byDay }: { now: number; top: number; byDay: boolean },
): Question {
  const window = readWindow((name) => e.query(name), now, dayMs);
  const given = filterNames.flatMap((name) => {
    const value = e.query(name);
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  const tooLong = given.filter(([, value]) => value.length > longestFilter);
  refuseInvalid(Object.fromEntries(tooLong.map(([name]) => [name, tooLongProblem(name)])));
  return { ...window, kind: readKind(e), filters: Object.fromEntries(given), top, byDay };
}

function tooLongProblem(name: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must have at most ${longestFilter} characters.` };
}

function readKind(e: RequestEvent<never>): Kind {
  return readOneOf(e, "kind", kinds, "human");
}

function readList(e: RequestEvent<never>): FileName {
  return readOneOf(e, "list", fileNames, "pages");
}

function readOneOf<T extends string>(
  e: RequestEvent<never>,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const text = e.query(name) || fallback;
  const known = allowed.find((each) => each === text);
  const problem = { code: "invalid", message: `The value of ${name} must be one of ${allowed.join(", ")}.` };
  refuseInvalid({ [name]: known === undefined ? problem : undefined });
  return known!;
}
