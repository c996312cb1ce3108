// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { fromEnv, hookWord, required, settings } from "./config.ts";

const { ANNEX_GOLDEN_WORD = "canary-default", ANNEX_GOLDEN_PLACE: place = "canary-renamed" } = process.env;
const direct = process.env.ANNEX_GOLDEN_WORD ?? "canary-direct";
const helped = fromEnv("ANNEX_GOLDEN_WORD", "canary-helped");
const demanded = required("ANNEX_GOLDEN_WORD", "canary-demanded");
const chosen = process.env.ANNEX_GOLDEN_WORD ? process.env.ANNEX_GOLDEN_WORD : "canary-chosen";
const all = { word: "canary-spread", ...process.env };
const assigned = Object.assign({ word: "canary-assigned" }, process.env);
const cut = (process.env.ANNEX_GOLDEN_WORD ?? "canary-cut").trim();

function compare(e: RequestEvent) {
  if (e.query("a") !== direct) throw e.error(400);
  if (e.query("b") !== ANNEX_GOLDEN_WORD) throw e.error(400);
  if (e.query("c") !== place) throw e.error(400);
  if (e.query("d") !== hookWord) throw e.error(400);
  if (e.query("f") !== settings.word) throw e.error(400);
  if (e.query("g") !== settings.place) throw e.error(400);
  if (e.query("h") !== helped) throw e.error(400);
  if (e.query("i") !== demanded) throw e.error(400);
  if (e.query("j") !== chosen) throw e.error(400);
  if (e.query("k") !== all.word) throw e.error(400);
  if (e.query("l") !== assigned.word) throw e.error(400);
  if (e.query("m") !== cut) throw e.error(400);
  if (![direct, "b"].includes(e.query("n") as string)) throw e.error(400);
  switch (e.query("o")) {
    case process.env.ANNEX_GOLDEN_WORD ?? "canary-case":
    case "open":
      return e.noContent();
    default:
      throw e.error(400);
  }
}

function fallBack(e: RequestEvent) {
  const a = e.query("a") ?? direct;
  const b = e.query("b") ?? process.env.ANNEX_GOLDEN_WORD ?? "canary-chain";
  const { c = hookWord } = Object.fromEntries(e.url.searchParams);
  const d = e.query("d") ?? `${settings.word}/`;
  return e.json(200, { count: [a, b, c, d].length });
}

export function routes(router: VersionedRouter): void {
  router.get("/compare", compare);
  router.get("/fall-back", fallBack);
}
