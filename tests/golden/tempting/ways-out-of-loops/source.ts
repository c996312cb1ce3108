// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Page {
  items: string[];
  cursor?: string;
}

declare function fetchPage(cursor: string | undefined, tenant: string | undefined): Page;
declare function takeJob(): { id: string; isBroken: boolean } | undefined;
declare function isStopping(): boolean;

function collect(e: RequestEvent) {
  const items: string[] = [];
  let cursor = e.query("cursor");
  do {
    const page = fetchPage(cursor, e.header("X-Tenant"));
    if (page.items.length === 0) break;
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor);
  return e.json(200, { items });
}

function nextJob(e: RequestEvent) {
  while (true) {
    const job = takeJob();
    if (!job) break;
    if (job.isBroken) continue;
    return e.json(200, { id: job.id });
  }
  return e.json(202, { retryAfter: 10 });
}

function lastJob(e: RequestEvent) {
  do {
    const job = takeJob();
    if (!job) throw e.error(404, "There is no job.");
    for (const part of job.id) if (part === "-") break;
    return e.json(200, { id: job.id });
  } while (true);
}

function soleJob(e: RequestEvent) {
  search: while (true) {
    for (const attempt of [1, 2, 3]) {
      if (isStopping()) break search;
      if (attempt === 3) continue search;
    }
    return e.json(200, { found: true });
  }
  throw e.error(503, "The server is about to stop.");
}

function checkJob(e: RequestEvent) {
  known: {
    if (isStopping()) break known;
    if (!e.query("id")) throw e.error(400, "Which?");
    return e.json(200, { isKnown: true });
  }
  return e.json(410, { isKnown: false });
}

function jobByState(e: RequestEvent) {
  switch (takeJob()?.id) {
    case "first":
      if (isStopping()) break;
      return e.json(200, { first: true });
    default:
      return e.json(201, { first: false });
  }
  return e.json(202, { stopping: true });
}

function filtersOf(e: RequestEvent, kind: string) {
  switch (kind) {
    case "book":
    case "magazine":
      return { title: e.query("title") };
    case "film":
      e.query("director");
      break;
    case "song":
      return { artist: e.query("artist") };
    default:
      throw e.error(400, "There is no such kind.");
  }
  return { length: e.query("length") };
}

function listBooks(e: RequestEvent) {
  return e.json(200, filtersOf(e, "book"));
}

function listFilms(e: RequestEvent) {
  return e.json(200, filtersOf(e, "film"));
}

function answerAs(e: RequestEvent, format: "text" | "json") {
  switch (format) {
    case "text":
      return e.text(200, "ok");
    default:
      return e.json(200, { ok: true });
  }
}

function ping(e: RequestEvent) {
  return answerAs(e, "text");
}

function pingAsJson(e: RequestEvent) {
  return answerAs(e, "json");
}

function timeIn(e: RequestEvent, unit: "hours" | "minutes") {
  let total = 0;
  for (const factor of [1, 2, 3]) {
    switch (unit) {
      case "hours":
        total += factor * 60 * Number(e.query("hours"));
        continue;
      case "minutes":
        total += factor * Number(e.query("minutes"));
    }
    total += Number(e.query("seconds")) / 60;
  }
  return total;
}

function countHours(e: RequestEvent) {
  return e.json(200, { total: timeIn(e, "hours") });
}

function countMinutes(e: RequestEvent) {
  return e.json(200, { total: timeIn(e, "minutes") });
}

export function routes(router: VersionedRouter): void {
  router.get("/collect", collect);
  router.get("/jobs/next", nextJob);
  router.get("/jobs/last", lastJob);
  router.get("/jobs/sole", soleJob);
  router.get("/jobs/check", checkJob);
  router.get("/jobs/by-state", jobByState);
  router.get("/books", listBooks);
  router.get("/films", listFilms);
  router.get("/ping", ping);
  router.get("/ping.json", pingAsJson);
  router.get("/hours", countHours);
  router.get("/minutes", countMinutes);
}
