// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";

declare const page: string;

function remove(e: RequestEvent) {
  return e.noContent();
}

function moved(e: RequestEvent) {
  return e.redirect(301, "/new");
}

function login(e: RequestEvent) {
  return e.redirect(e.isSecure ? 302 : 307, "/login");
}

function robots(e: RequestEvent) {
  return e.text(200, "User-agent: *");
}

function home(e: RequestEvent) {
  return e.html(200, page);
}

function exportTable(e: RequestEvent) {
  return e.stream(200, "text/csv; charset=utf-8", createReadStream("table.csv"));
}

async function logo(e: RequestEvent) {
  return e.bytes(200, "image/png", await readFile("logo.png"));
}

export function routes(router: VersionedRouter): void {
  router.delete("/thing", remove);
  router.get("/moved", moved);
  router.get("/login", login);
  router.get("/robots", robots);
  router.get("/home", home);
  router.get("/table", exportTable);
  router.get("/logo", logo);
}
