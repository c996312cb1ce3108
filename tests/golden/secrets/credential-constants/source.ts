// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import DEFAULT_TOKEN, { config, PARTNER_KEY as partner, renamed, Vault } from "./constants.ts";

const API_KEY = "canary-constant";
const API_KEYS = ["canary-list-a", "canary-list-b"];
const TENANT_BY_TOKEN = { "canary-key-a": "a", "canary-key-b": "b" } as Record<string, string>;
const plain = API_KEY;
const greeting = `Key ${API_KEY}`;
const joined = "key:" + plain;
const all = [API_KEY, "open"];
const vault = new Vault();
const PIN = 7331;

const orElse = (e: RequestEvent, name: string, apiKey: string) => e.query(name) ?? apiKey;

function compare(e: RequestEvent) {
  if (e.query("a") !== API_KEY) throw e.error(400);
  if (e.query("b") !== plain) throw e.error(400);
  if (e.query("c") !== partner) throw e.error(400);
  if (e.query("d") !== config.hook.webhookSecret) throw e.error(400);
  if (e.query("f") !== DEFAULT_TOKEN) throw e.error(400);
  if (e.query("g") !== greeting && e.query("g") !== joined) throw e.error(400);
  if (!API_KEYS.includes(e.query("h") as string)) throw e.error(400);
  if (!Object.keys(TENANT_BY_TOKEN).includes(e.query("i") as string)) throw e.error(400);
  if (!((e.query("j") as string) in TENANT_BY_TOKEN)) throw e.error(400);
  if (!all.includes(e.query("k") as string)) throw e.error(400);
  if (e.query("l") !== vault.passphrase) throw e.error(400);
  if (e.query("m") !== Vault.masterKey) throw e.error(400);
  if (e.query("n") !== renamed) throw e.error(400);
  switch (e.query("o")) {
    case API_KEY:
    case "open":
      return e.noContent();
    default:
      throw e.error(400);
  }
}

function fallBack(e: RequestEvent) {
  const parts = [
    e.query("a") ?? API_KEY,
    e.query("b") || `${plain}!`,
    orElse(e, "c", "canary-argument"),
    e.query("d") ?? Object.values({ secret: "canary-value" })[0],
    Number(e.query("f") ?? PIN),
    // What a constant of another name holds is no secret.
    e.query("size") ?? config.size,
  ];
  return e.json(200, { parts: parts.length });
}

/** The name of a parameter is not a secret, whatever its constant is called. */
const TOKEN_PARAMETER = "desk";
function named(e: RequestEvent) {
  return e.text(200, e.query(TOKEN_PARAMETER) ?? "");
}

export function routes(router: VersionedRouter): void {
  router.get("/compare", compare);
  router.get("/fall-back", fallBack);
  router.get("/named", named);
}
