// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const FEATURED = ["go", "rust"];

declare function list(...values: unknown[]): string[];

function bonus(e: RequestEvent) {
  const language = e.query("language") ?? "";
  return e.json(200, list(language, FEATURED.includes(language) ? 2 : 1));
}

function suffix(e: RequestEvent) {
  const name = e.query("name") ?? "";
  if (!name.includes("@")) throw e.error(400, "That is no address.");
  return e.json(200, list(name));
}

function other(e: RequestEvent) {
  const known = list("known");
  const id = e.query("id") ?? "";
  if (!known.includes(id)) throw e.error(404, "There is none.");
  return e.json(200, list(id));
}

function openSwitch(e: RequestEvent) {
  const lang = e.query("lang");
  switch (lang) {
    case "de":
      return e.json(200, list("Hallo"));
    default:
      return e.json(200, list("hello", lang));
  }
}

export function routes(router: VersionedRouter): void {
  router.get("/bonus", bonus);
  router.get("/suffix", suffix);
  router.get("/other", other);
  router.get("/switch", openSwitch);
}
