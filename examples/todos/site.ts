import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestEvent, Router } from "../../src/index.ts";

/** Registers the pages, a slow route and a failing route. They belong to no API version, so they are not documented. */
export function mountSite(router: Router): void {
  router.get("/", (e) => sendPage(e, "home.html"));
  router.get("/about", (e) => sendPage(e, "about.html"));
  router.get("/site/{file}", sendFile);
  router.get("/demo/slow", answerSlowly);
  router.post("/demo/fail", fail);
}

async function answerSlowly(e: RequestEvent) {
  const waitedMs = Math.round(200 + Math.random() * 600);
  await pause(waitedMs);
  return e.json(200, { waited_ms: waitedMs });
}

function fail(): never {
  throw new Error("The failure button was pressed");
}

/** Allows only our own files, so that text in the list is never executed. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

async function sendPage(e: RequestEvent, name: string) {
  e.setHeader("Content-Security-Policy", policy);
  return e.html(200, await readFile(new URL(`site/${name}`, import.meta.url), "utf8"));
}

const types: Readonly<Record<string, string>> = {
  "site.css": "text/css; charset=utf-8",
  "home.js": "text/javascript; charset=utf-8",
};

async function sendFile(e: RequestEvent<"file">) {
  const name = e.pathValue("file");
  if (!Object.hasOwn(types, name)) throw e.error(404, "File not found.");
  return e.bytes(200, types[name]!, await readFile(new URL(`site/${name}`, import.meta.url)));
}
