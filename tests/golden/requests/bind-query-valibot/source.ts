// API_SOURCE
import * as v from "valibot";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const ReadingQuery = v.object({
  site: v.pipe(v.string(), v.minLength(3), v.description("The code of the site.")),
  kind: v.optional(v.picklist(["temperature", "humidity"]), "temperature"),
  sensor: v.optional(v.array(v.string())),
});

declare const readings: {
  list(query: v.InferOutput<typeof ReadingQuery>): Promise<{ at: Date; value: number }[]>;
};

async function listReadings(e: RequestEvent) {
  const query = await e.bindQuery(ReadingQuery);
  return e.json(200, await readings.list(query));
}

export function routes(router: VersionedRouter): void {
  router.get("/readings", listReadings);
}
