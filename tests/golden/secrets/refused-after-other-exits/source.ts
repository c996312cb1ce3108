// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const isOpen: boolean;

function afterBlock(e: RequestEvent) {
  if (e.query("word") === "canary-sesame") return e.json(200, { door: 1 });
  if (isOpen) {
    throw e.error(400, "There is no door.");
  }
  throw e.error(401, "Say the word.");
}

function afterLoop(e: RequestEvent) {
  if (e.query("word") === "canary-sesame") return e.json(200, { door: 1 });
  for (const door of [1, 2]) {
    if (isOpen) {
      if (door === 1) return e.json(200, { door });
    }
  }
  return e.json(403, { reason: "Say the word." });
}

function afterTry(e: RequestEvent) {
  const word = e.query("word");
  if (word === "canary-sesame" || word === "canary-mellon") return e.json(200, { door: 1 });
  try {
    if (isOpen) throw new Error("The door is stuck.");
  } catch {
    return e.json(200, { door: 3 });
  }
  throw e.error(401, "Say the word.");
}

function afterSwitch(e: RequestEvent) {
  switch (e.query("word")) {
    case "canary-sesame":
    case "canary-mellon":
      return e.json(200, { door: 1 });
  }
  if (isOpen) {
    if (Math.random() > 0.5) return e.json(200, { door: 4 });
  }
  throw e.error(401, "Say the word.");
}

function afterElse(e: RequestEvent) {
  const word = e.query("word") ?? "canary-sesame";
  if (word === "canary-sesame") return e.json(200, { door: 1 });
  else if (isOpen) return e.json(200, { door: 2 });
  throw e.error(401, "Say the word.");
}

function within(e: RequestEvent) {
  const word = e.query("word") ?? "canary-sesame";
  if (word === "canary-sesame") {
    if (isOpen) return e.json(200, { door: 2 });
  }
  throw e.error(401, "Say the word.");
}

/** Served in any case, so the default is no secret. */
function served(e: RequestEvent) {
  const sort = e.query("sort") ?? "asc";
  if (sort === "asc") return e.json(200, { door: 2 });
  if (isOpen) throw e.error(401, "Sign in.");
  return e.json(200, { door: 3 });
}

export function routes(router: VersionedRouter): void {
  router.get("/after-block", afterBlock);
  router.get("/after-loop", afterLoop);
  router.get("/after-try", afterTry);
  router.get("/after-switch", afterSwitch);
  router.get("/after-else", afterElse);
  router.get("/within", within);
  router.get("/served", served);
}
