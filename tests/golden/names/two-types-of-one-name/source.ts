// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { getBillingAccount } from "./billing.ts";
import { getPersonAccount } from "./people.ts";

export function routes(router: VersionedRouter): void {
  router.get("/person", getPersonAccount);
  router.get("/billing", getBillingAccount);
}
