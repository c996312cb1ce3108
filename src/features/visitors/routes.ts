import { requireSuperuserAuth } from "../../auth/index.ts";
import {
  compress,
  neverCached,
  type QueryValues,
  query,
  type RootRouter,
  readQuery,
} from "../../http/index.ts";
import { defined } from "../../lib/defined.ts";
import { toCsv } from "../../lib/text/csv.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { dayMs } from "../../lib/time/units.ts";
import { VISITORS_NOT_COUNTED } from "./errors.ts";
import { type FilterName, kinds, type Question, type Summary } from "./messages.ts";
import { fileNames, toResponse, toTable } from "./responses.ts";
import type * as wire from "./wire.ts";

export interface VisitorRoutesParts {
  readonly clock: Clock;
  status(): { enabled: boolean; dropped: number };
  summarize(question: Question): Promise<Summary>;
}

/** Maximum length of a list in the dashboard and in an export. */
const topOfPage = 50;
const topOfFile = 1_000;

const filter = query.text({ maxLength: 200 });
const filters = {
  page: filter,
  referrer: filter,
  browser: filter,
  os: filter,
  device: filter,
} satisfies Record<FilterName, unknown>;

/** Data routes for the dashboard. */
export function mountVisitors(root: RootRouter, { clock, status, summarize }: VisitorRoutesParts): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, compress());

  data.get("/visitors", async (e) => {
    if (!status().enabled) return e.json(200, { enabled: false } satisfies wire.VisitorStats);
    const question = { ...toQuestion(readQuery(e, questionAt(clock.now()))), top: topOfPage, byDay: false };
    return e.json(200, toResponse(question, await summarize(question), status().dropped));
  });

  data.get("/visitors.csv", async (e) => {
    if (!status().enabled) throw VISITORS_NOT_COUNTED();
    const { list, ...given } = readQuery(e, {
      ...questionAt(clock.now()),
      list: query.oneOf(fileNames, { default: "pages" }),
    });
    const question = { ...toQuestion(given), top: topOfFile, byDay: list === "days" };
    const { header, rows } = toTable(list, await summarize(question));
    e.setHeader("Content-Disposition", `attachment; filename="visitors-${list}.csv"`);
    return e.bytes(200, "text/csv; charset=utf-8", Buffer.from(toCsv(header, rows)));
  });
}

function questionAt(now: number) {
  return {
    window: query.window({ to: now, from: (to) => to - dayMs }),
    kind: query.oneOf(kinds, { default: "human" }),
    ...filters,
  };
}

type Given = QueryValues<ReturnType<typeof questionAt>>;

function toQuestion({ window, kind, ...given }: Given): Omit<Question, "top" | "byDay"> {
  return { ...window, kind, filters: defined(given) };
}
