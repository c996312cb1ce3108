// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Locale = "de" | "fr";

interface Catalogue {
  counts: Record<string, number>;
  titles: Record<Locale, string>;
  optional: Partial<Record<Locale, string>>;
  byNumber: { [position: number]: string };
  open: { name: string; [key: string]: string };
}

declare function find(): Catalogue;

function getCatalogue(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/catalogue", getCatalogue);
}
