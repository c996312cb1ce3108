// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Gate = { word: "canary-sesame"; door: number } | { word: "canary-abracadabra"; window: number };

async function openGate(e: RequestEvent) {
  const body = await e.bindBody<Gate>();
  if (body.word !== "canary-sesame") throw e.error(403, "You may not enter.");
  return e.json(200, { door: body.door });
}

async function openDoor(e: RequestEvent) {
  const body = await e.bindBody<
    { word: "canary-mellon"; door: number } | { word: "canary-friend"; window: number }
  >();
  if (body.word !== "canary-mellon") throw e.error(403, "You may not enter.");
  return e.json(200, { door: body.door });
}

export function routes(router: VersionedRouter): void {
  router.post("/gate", openGate);
  router.post("/door", openDoor);
}
