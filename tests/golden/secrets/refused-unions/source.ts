// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Gate = { word: "sesame"; door: number } | { word: "abracadabra"; window: number };

async function openGate(e: RequestEvent) {
  const body = await e.bindBody<Gate>();
  if (body.word !== "sesame") throw e.error(403, "You may not enter.");
  return e.json(200, { door: body.door });
}

async function openDoor(e: RequestEvent) {
  const body = await e.bindBody<{ word: "mellon"; door: number } | { word: "friend"; window: number }>();
  if (body.word !== "mellon") throw e.error(403, "You may not enter.");
  return e.json(200, { door: body.door });
}

export function routes(router: VersionedRouter): void {
  router.post("/gate", openGate);
  router.post("/door", openDoor);
}
