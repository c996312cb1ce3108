// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { contractOf } from "golden-workspace/contracts";
import type { Party } from "#model";

declare function party(): Party;

function getContract(e: RequestEvent) {
  return e.json(200, contractOf("1"));
}

function getParty(e: RequestEvent) {
  return e.json(200, party());
}

export function routes(router: VersionedRouter): void {
  router.get("/contract", getContract);
  router.get("/party", getParty);
}
