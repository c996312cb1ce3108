// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

/** Signs the user in. */
function login(e: RequestEvent) {
  if (e.query("name") === undefined) throw e.error(400, "A name is needed.");
  remember(e, "session");
  e.setCookie("theme", "dark", { httpOnly: false });
  return e.json(200, { ok: true });
}

/** Signs the user out. */
function logout(e: RequestEvent) {
  e.clearCookie("session");
  return e.noContent();
}

function remember(e: RequestEvent, name: string) {
  e.setCookie(name, "secret", { maxAge: 3600 });
}

/** Sets no cookie. */
function status(e: RequestEvent) {
  return e.json(200, { signedIn: e.cookie("session") !== undefined });
}

export function routes(router: VersionedRouter): void {
  router.post("/login", login);
  router.post("/logout", logout);
  router.get("/status", status);
}
