// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const name: string;
declare const age: number;

function getProfile(e: RequestEvent) {
  const isAdult = age >= 18;
  return e.json(200, {
    name,
    isAdult,
    since: new Date(),
    greeting: `Hello ${name}`,
    nothing: null,
    address: { city: "Bern", lines: [name, name], geo: { lat: age / 2, lng: age * 2 } },
    "x-quoted": age,
  });
}

export function routes(router: VersionedRouter): void {
  router.get("/profile", getProfile);
}
