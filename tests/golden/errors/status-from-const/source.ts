// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

const CODES = { missing: 404, taken: 409 } as const;
const TEAPOT = 418;

declare function find(): { owner: string; taken: boolean } | undefined;

function claim(e: RequestEvent) {
  const thing = find();
  if (!thing) throw e.error(CODES.missing, "There is none.");
  if (thing.taken) throw e.error(thing.owner === "me" ? CODES.taken : 423, "It is taken.");
  if (thing.owner === "teapot") throw new ApiError(TEAPOT, "No coffee.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/claim", claim);
}
