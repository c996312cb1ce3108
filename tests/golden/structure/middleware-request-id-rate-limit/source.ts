// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { rateLimit } from "./rate-limit.ts";
import { requestId, requestIdOf } from "./request-id.ts";

interface Address {
  line: string;
  city: string;
  postcode: string | null;
}

interface Parse {
  text: string;
  country: "de" | "nl" | "be";
}

declare function geocode(text: string): Promise<Address | undefined>;

/** Tell whether the service is up. */
function getHealth(e: RequestEvent) {
  return e.json(200, { uptime: process.uptime(), requestId: requestIdOf(e) });
}

/** Find an address. */
async function searchAddress(e: RequestEvent) {
  const text = e.query("text");
  if (!text) throw e.error(400, "What do you look for?");
  const address = await geocode(text);
  if (!address) throw e.error(404, "Nothing was found.");
  return e.json(200, address);
}

/** Split an address into its parts. */
async function parseAddress(e: RequestEvent) {
  const { text, country } = await e.bindBody<Parse>();
  const address = await geocode(`${text}, ${country}`);
  if (!address) return e.noContent();
  return e.json(200, { address, requestId: requestIdOf(e) });
}

export function routes(router: VersionedRouter): void {
  router.bindFunc(requestId);
  router.get("/health", getHealth);

  const addresses = router.setPrefix("/addresses");
  addresses.bindFunc(rateLimit({ perMinute: 60 }));
  addresses.get("/search", searchAddress);
  addresses.post("/parse", parseAddress);
}
