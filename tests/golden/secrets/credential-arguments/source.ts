// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const stored = new Map<string, string>();

/** Parameters with harmless names that become part of a credential, or are passed with the name of one. */
function send(e: RequestEvent) {
  stored.set("token", e.query("a") ?? "canary-map").set("region", e.query("region") ?? "eu");
  e.setHeader("X-Token", e.query("b") ?? "canary-header");
  e.response.setHeader("X-Api-Key", e.query("c") ?? "canary-raw-header");
  e.setCookie("session", e.query("d") ?? "canary-cookie");
  const sent = new Headers({ authorization: `Bearer ${e.query("f") ?? "canary-template"}` });
  sent.append("X-Secret", e.query("g") ?? "canary-append");
  const password = `ada:${e.query("h") ?? "canary-sum"}`.concat(e.query("i") ?? "canary-concat");
  return e.json(200, { count: [...sent].length + password.length + stored.size });
}

export function routes(router: VersionedRouter): void {
  router.get("/send", send);
}
