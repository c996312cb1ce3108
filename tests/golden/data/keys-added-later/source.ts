// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Answer200 {
  id: string;
  note?: string;
}

declare const isVerbose: boolean;

function typed(e: RequestEvent) {
  const answer: Answer200 = { id: "1" };
  if (isVerbose) answer.note = "more";
  return e.json(200, answer);
}

function counted(e: RequestEvent) {
  const counts: Record<string, number> = {};
  counts.all = 1;
  counts["open"] = 2;
  return e.json(200, counts);
}

function partial(e: RequestEvent) {
  const answer: { id: string; tags: string[]; size?: number } = { id: "1", tags: [] };
  answer.tags.push("a");
  answer.size = answer.tags.length;
  return e.json(200, answer);
}

export function routes(router: VersionedRouter): void {
  router.get("/typed", typed);
  router.get("/counted", counted);
  router.get("/partial", partial);
}
