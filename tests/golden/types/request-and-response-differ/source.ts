// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Event {
  name: string;
  at: Date;
}

async function addEvent(e: RequestEvent) {
  const event = await e.bindBody<Event>();
  return e.json(201, event);
}

export function routes(router: VersionedRouter): void {
  router.post("/events", addEvent);
}
