// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const inTurn =
  (...steps: Handler[]): Handler =>
  async (e) => {
    for (const step of steps) await step(e);
  };

const timed =
  (inner: Handler): Handler =>
  async (e) => {
    const start = performance.now();
    await inner(e);
    e.app.logger.debug("took", { ms: performance.now() - start });
  };

/** Checks the year. */
function needYear(e: RequestEvent) {
  if (!e.query("year")) throw e.error(400, "Which year?");
}

/** Refuses drafts with a response of its own. */
function refuseDrafts(e: RequestEvent) {
  if (e.query("draft") === "true") return e.json(422, { draft: true });
}

/** Returns the year. */
const getYear = (e: RequestEvent) => e.json(200, { year: e.query("year") });

const respond = (e: RequestEvent, months: number[]) => e.json(200, { months });

/** Lists the months. */
function listMonths(e: RequestEvent) {
  return respond(e, [1, 2, 3]);
}

/** Only checks. */
const check = inTurn(needYear, refuseDrafts);

export function routes(router: VersionedRouter): void {
  router.get("/year", inTurn(needYear, getYear));
  router.get("/months", inTurn(needYear, refuseDrafts, timed(listMonths)));
  router.get("/check", check);
}
