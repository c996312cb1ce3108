// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

function refuse(status: number, message: string): never {
  throw new ApiError(status, message);
}

function check(e: RequestEvent, allowed: boolean, status: 403 | 404 = 403) {
  if (!allowed) throw e.error(status, "Not for you.");
}

declare function codeOf(failure: string): number;

function getSecret(e: RequestEvent) {
  if (!e.auth) refuse(401, "Sign in.");
  check(e, e.auth.id === "root");
  return e.json(200, { secret: "none" });
}

function getRelayed(e: RequestEvent) {
  if (!e.auth) throw e.error(codeOf("auth"), "Sign in.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/secret", getSecret);
  router.get("/relayed", getRelayed);
}
