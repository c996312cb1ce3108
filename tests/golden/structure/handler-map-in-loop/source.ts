// API_SOURCE
import type { Handler, VersionedRouter } from "../../../../src/index.ts";
import { listCountries, listCurrencies, listLanguages } from "./lookups.ts";
import { makeSlots } from "./slots.ts";

const lookups: Record<string, Handler> = {
  "/currencies": listCurrencies,
  "/countries": listCountries,
  "/languages": listLanguages,
};

const KINDS = ["pickup", "delivery"] as const;

export function routes(router: VersionedRouter): void {
  for (const [path, handler] of Object.entries(lookups)) router.get(path, handler);
  KINDS.forEach((kind) => {
    router.get(`/slots/${kind}`, makeSlots(kind));
  });
}
