import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestEvent, Router } from "../../src/index.ts";

/** The pages for people, and two routes that behave as badly as routes in the world do. No version documents them. */
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
  throw new Error("Somebody pressed the button that makes it fail");
}

/** Nothing but our own files: what people write into the list can never run. */
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
  if (!Object.hasOwn(types, name)) throw e.error(404, "There is no such file.");
  return e.bytes(200, types[name]!, await readFile(new URL(`site/${name}`, import.meta.url)));
}
