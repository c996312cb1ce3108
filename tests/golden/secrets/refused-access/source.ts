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

const getSecret = () => "canary-function";

function assertAccess(e: RequestEvent, isAllowed: boolean): asserts isAllowed {
  if (!isAllowed) throw e.error(401);
}

function deny(e: RequestEvent): never {
  throw e.error(401);
}

/** The parameter and the refusal may be far from each other. */
function decide(e: RequestEvent) {
  const isFirst = e.query("first") === "canary-first";
  if (!isFirst) throw e.error(401);
  const second = e.query("second") ?? "canary-second";
  const isSecond = isWelcome(second);
  if (!isSecond) throw e.error(401);
  const third = e.query("third") ?? "canary-third";
  assertAccess(e, isWelcome(third));
  assertAccess(e, PARTNERS.includes(e.query("fourth") as string));
  const fifth = e.query("fifth") ?? "canary-fifth";
  if (!PARTNERS.some((partner) => partner === fifth)) throw e.error(403);
  const sixth = e.query("sixth") ?? "canary-sixth";
  isWelcome(sixth) || deny(e);
  const seventh = (e.query("seventh") ?? "canary-seventh").trim().toLowerCase();
  if (!/^canary-pattern/.test(seventh) || seventh.startsWith("canary-start")) throw e.error(403);
  if (e.query("eighth") !== getSecret()) throw e.error(400);
  return e.noContent();
}

/** What follows a condition may be the refusal. */
function fallThrough(e: RequestEvent) {
  const word = e.query("word") ?? "canary-word";
  if (isWelcome(word)) return e.noContent();
  throw e.error(401);
}

function fallOut(e: RequestEvent) {
  switch (e.query("way")) {
    case "canary-way-a":
    case "canary-way-b":
      return e.noContent();
  }
  return e.json(403, { reason: "No." });
}

function inOne(e: RequestEvent) {
  const word = e.query("word") ?? "canary-one";
  return isWelcome(word) ? e.noContent() : e.json(403, { reason: "No." });
}

/** Values are not secret where a request is refused for another reason. */
function sort(e: RequestEvent) {
  const order = e.query("order");
  if (order !== "up" && order !== "down") throw e.error(400);
  const limit = Number.parseInt(e.query("limit") ?? "20", 10);
  if (limit > 100) return e.json(400, { reason: "Too many." });
  if (e.query("format") !== "csv") throw e.error(406);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/enter", enter);
  router.get("/choose", choose);
  router.get("/translate", translate);
  router.get("/decide", decide);
  router.get("/fall-through", fallThrough);
  router.get("/fall-out", fallOut);
  router.get("/in-one", inOne);
  router.get("/sort", sort);
}
