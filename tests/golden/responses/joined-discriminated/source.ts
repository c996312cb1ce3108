// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Pending {
  state: "pending";
  position: number;
}

interface Finished {
  state: "finished";
  result: string;
}

declare function pending(id: string): Pending | undefined;
declare function finished(id: string): Finished;

function getRun(e: RequestEvent<"id">) {
  const waiting = pending(e.pathValue("id"));
  if (waiting) return e.json(200, waiting);
  return e.json(200, finished(e.pathValue("id")));
}

export function routes(router: VersionedRouter): void {
  router.get("/runs/{id}", getRun);
}
