// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { size } from "./secrets.ts";
import * as secrets from "./secrets.ts";

/** The holder has the name of a credential, and what it holds has not. */
class Secrets {
  static readonly admin = "canary-held-by-class";
  static readonly nested = { deep: ["canary-held-deeply"] };
}

const Credentials = class {
  static readonly guest = "canary-held-by-expression";
};

class Settings {
  static readonly region = "eu";
}

function compare(e: RequestEvent) {
  if (e.query("a") !== Secrets.admin) throw e.error(400);
  if (!Secrets.nested.deep.includes(e.query("b") as string)) throw e.error(400);
  if (e.query("c") !== Credentials.guest) throw e.error(400);
  if (e.query("d") !== secrets.door) throw e.error(400);
  // Other holders and names are shown.
  if (e.query("region") !== Settings.region) throw e.error(400);
  return e.json(200, { size: e.query("size") ?? size });
}

export function routes(router: VersionedRouter): void {
  router.get("/compare", compare);
}
