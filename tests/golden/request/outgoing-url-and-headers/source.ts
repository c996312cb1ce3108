// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Rate {
  currency: string;
  value: number;
}

async function getRate(e: RequestEvent) {
  const target = new URL("https://rates.example/latest");
  target.searchParams.set("base", "EUR");
  const base = target.searchParams.get("base");
  const answer = await fetch(target, { headers: { "x-api-key": "secret" } });
  const remaining = answer.headers.get("x-rate-remaining");
  const rate = (await answer.json()) as Rate;
  const asked = new Headers({ "x-own": "1" });
  e.app.logger.info("asked", { base, remaining, own: asked.get("x-own") });
  return e.json(200, rate);
}

export function routes(router: VersionedRouter): void {
  router.get("/rate", getRate);
}
