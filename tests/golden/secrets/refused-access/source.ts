// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const PARTNERS = ["canary-partner-a", "canary-partner-b"];
const GUESTS = new Set(["canary-guest-a", "canary-guest-b"]);
const HOUSES = { "canary-house-a": 1, "canary-house-b": 2 };

class Denied extends Error {}
declare function isWelcome(word: string): boolean;

function demandWord(e: RequestEvent, word: string | undefined) {
  if (word !== "canary-helper" && word !== "canary-helper-2") throw e.error(403);
}

const isPartner = (name: string) => PARTNERS.includes(name);

function enter(e: RequestEvent) {
  if (e.query("compared") !== "canary-compared") throw e.error(401);
  if (e.query("answered") !== "canary-answered") return e.json(403, { reason: "No." });
  const either = e.query("either");
  if (either !== "canary-either-a" && either !== "canary-either-b") throw e.error(401);
  if (!PARTNERS.includes(e.query("listed") as string)) throw e.error(401);
  if (!GUESTS.has(e.query("set") as string)) throw e.error(403);
  if (!((e.query("table") as string) in HOUSES)) throw e.error(403);
  if (!isPartner(e.query("guarded") as string)) throw e.error(401);
  demandWord(e, e.query("helped"));
  const asked = e.query("asked") ?? "canary-asked";
  if (!isWelcome(asked)) throw e.error(401);
  return e.noContent();
}

function choose(e: RequestEvent) {
  const word = e.query("switched");
  switch (word) {
    case "canary-switched-a":
    case "canary-switched-b":
      break;
    default:
      throw e.error(401);
  }
  const fail = (): never => {
    throw e.error(403);
  };
  const chosen = e.query("chosen");
  const kept = chosen === "canary-chosen" ? chosen : fail();
  const status = e.query("late") ? 401 : 400;
  if (e.query("maybe") !== "canary-maybe") throw e.error(status);
  if (e.query("foreign") !== "canary-foreign") throw new Denied();
  return e.text(200, kept);
}

function translate(e: RequestEvent) {
  try {
    if (e.query("caught") !== "canary-caught") throw e.error(400);
  } catch {
    throw e.error(401);
  }
  return e.noContent();
}

/** Values are not secret where a request is refused for another reason. */
function sort(e: RequestEvent) {
  const order = e.query("order");
  if (order !== "up" && order !== "down") throw e.error(400);
  if (e.query("format") !== "csv") throw e.error(406);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/enter", enter);
  router.get("/choose", choose);
  router.get("/translate", translate);
  router.get("/sort", sort);
}
