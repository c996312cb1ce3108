// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Paint {
  name: string;
  coats: number | undefined;
}

declare const paint: Paint;
declare const isDry: boolean;
declare function weigh(): number | undefined;

function getColours(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  bag["paint"] = paint;
  bag.coats = paint.coats;
  bag.state = isDry ? "dry" : "wet";
  if (isDry) bag.since = new Date();
  if (bag.since) bag.colour = null;
  return e.json(200, bag);
}

function getNote(e: RequestEvent) {
  const note: Record<string, unknown> = { id: 1, text: "x", author: "Ada" };
  note.text = null;
  note.tags = ["a"];
  note.author = undefined;
  return e.json(200, note);
}

function countWords(e: RequestEvent) {
  const counts: Record<string, unknown> = {};
  counts.total = 1;
  counts.language = "en";
  for (const word of e.queryAll("word")) counts[word] = word.length;
  return e.json(200, counts);
}

function getStatus(e: RequestEvent) {
  const status: Record<string, number> = {};
  status.open = 1;
  if (isDry) return e.json(200, status);
  status.closed = 2;
  return e.json(201, status);
}

function getUntyped(e: RequestEvent) {
  // biome-ignore lint/suspicious/noExplicitAny: it is what the case is about.
  const bag: any = {};
  bag.size = 3;
  bag.password = "hunter2";
  e.app.logger.info(`It has ${Object.keys(bag).length} keys.`);
  return e.json(200, bag);
}

function listSlots(e: RequestEvent) {
  const slots = new Array(3);
  slots[0] = "free";
  return e.json(200, slots);
}

function listWeights(e: RequestEvent) {
  // biome-ignore lint/suspicious/noExplicitAny: it is what the case is about.
  const weights: any[] = [];
  weights.push("none", paint);
  if (isDry) weights.push(weigh());
  return e.json(200, weights);
}

export function routes(router: VersionedRouter): void {
  router.get("/colours", getColours);
  router.get("/note", getNote);
  router.get("/words", countWords);
  router.get("/status", getStatus);
  router.get("/untyped", getUntyped);
  router.get("/slots", listSlots);
  router.get("/weights", listWeights);
}
