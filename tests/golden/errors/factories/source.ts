// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

const notFound = (what: string) => new ApiError(404, `There is no such ${what}.`);

const errors = {
  conflict: () => new ApiError(409, "Someone was faster."),
  limit(seconds: number) {
    return new ApiError(429, "Slow down.", { headers: { "Retry-After": String(seconds) } });
  },
};

function assertFound<T>(value: T | undefined, what: string): asserts value is T {
  if (value === undefined) throw notFound(what);
}

declare function find(id: string): { id: string } | undefined;

function getThing(e: RequestEvent<"id">) {
  const thing = find(e.pathValue("id"));
  assertFound(thing, "thing");
  return e.json(200, thing);
}

function putThing(e: RequestEvent<"id">) {
  if (find(e.pathValue("id"))) throw errors.conflict();
  if (e.pathValue("id").length > 20) throw errors.limit(5);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/things/{id}", getThing);
  router.put("/things/{id}", putThing);
}
