// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

declare function report(error: Error): void;

function check(e: RequestEvent) {
  const error = e.error(507, "Only for the log.");
  report(error);
  report(new ApiError(508, "Only for the log."));
  if (Math.random() > 2) throw new Error("Not one for the client.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/check", check);
}
