// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const COOKIE = "session_id";

function read(e: RequestEvent) {
  if (e.query("token") !== "canary-token") throw e.error(400);
  if (e.header("X-Api-Key") !== "canary-api-key") throw e.error(400);
  if (!["canary-otp-1", "canary-otp-2"].includes(e.query("otp") as string)) throw e.error(400);
  const { password = "canary-password" } = Object.fromEntries(e.url.searchParams);
  const code = e.query("code") ?? "canary-code";
  const pin = Number(e.query("pin") ?? 7331);
  const signature = e.request.headers["x-signature"] ?? "canary-signature";
  const id = e.cookie(COOKIE) || "canary-session";
  return e.json(200, { length: [password, code, pin, signature, id].length });
}

export function routes(router: VersionedRouter): void {
  router.get("/read", read);
}
