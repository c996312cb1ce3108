// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Bag = Record<string, unknown>;

declare const isDry: boolean;
declare function paintOver(bag: Record<string, unknown>): void;

function passedOn(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  paintOver(bag);
  return e.json(200, bag);
}

function aliased(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  const other = bag;
  other.colour = 1;
  return e.json(200, bag);
}

function removed(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  delete bag.colour;
  return e.json(200, bag);
}

function replaced(e: RequestEvent) {
  let bag: Record<string, unknown> = {};
  bag.colour = "red";
  if (isDry) bag = { colour: 1 };
  return e.json(200, bag);
}

function writtenOtherwise(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  bag.toJSON = () => 1;
  return e.json(200, bag);
}

function changedByPattern(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  bag.colour = "red";
  [bag.colour] = [1];
  ({ size: bag.colour } = { size: 2 });
  for (bag.colour of [1, 2]) paintOver({});
  return e.json(200, bag);
}

function spread(e: RequestEvent) {
  // biome-ignore lint/suspicious/noExplicitAny: it is what the case is about.
  const all: any[] = [];
  all.push("a");
  all.push(...[1, 2]);
  return e.json(200, all);
}

function filled(e: RequestEvent) {
  const all = new Array(3);
  all[0] = "a";
  all.fill(0);
  return e.json(200, all);
}

function named(e: RequestEvent) {
  const bag: Bag = {};
  bag.colour = "red";
  const show = (bag: Bag) => e.json(200, bag);
  return show({ ...bag, colour: 1 });
}

function clearedLater(e: RequestEvent) {
  const bag: Record<string, unknown> = {};
  const clear = () => {
    bag.colour = undefined;
  };
  bag.colour = "red";
  clear();
  return e.json(200, bag);
}

export function routes(router: VersionedRouter): void {
  router.get("/passed-on", passedOn);
  router.get("/aliased", aliased);
  router.get("/removed", removed);
  router.get("/replaced", replaced);
  router.get("/written-otherwise", writtenOtherwise);
  router.get("/changed-by-pattern", changedByPattern);
  router.get("/spread", spread);
  router.get("/filled", filled);
  router.get("/named", named);
  router.get("/cleared-later", clearedLater);
}
