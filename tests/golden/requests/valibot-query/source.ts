// API_SOURCE
import * as v from "valibot";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const Whole = v.pipe(
  v.string(),
  v.transform(Number),
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(500),
);

const SensorQuery = v.object({
  site: v.pipe(v.string(), v.minLength(3), v.maxLength(12)),
  kind: v.optional(v.picklist(["temperature", "humidity", "pressure"])),
  order: v.optional(v.picklist(["asc", "desc"]), "asc"),
  limit: v.optional(Whole, "100"),
});

const AlarmQuery = v.object({
  above: v.pipe(v.string(), v.transform(Number), v.number()),
  zone: v.optional(v.pipe(v.string(), v.regex(/^Z\d{2}$/))),
});

interface Sensor {
  id: string;
  site: string;
  last: number | null;
}

declare const sensors: {
  list(query: v.InferOutput<typeof SensorQuery>): Promise<Sensor[]>;
  alarming(query: v.InferOutput<typeof AlarmQuery>): Promise<Sensor[]>;
};

/** Lists the sensors of a site. */
async function listSensors(e: RequestEvent) {
  const result = v.safeParse(SensorQuery, Object.fromEntries(e.url.searchParams));
  if (!result.success) {
    throw e.error(400, "The query is not valid.", {
      query: { code: "invalid", message: result.issues[0].message },
    });
  }
  return e.json(200, await sensors.list(result.output));
}

/** Lists the sensors above a value. */
async function listAlarms(e: RequestEvent) {
  const params = Object.fromEntries(e.url.searchParams);
  const query = v.parse(AlarmQuery, params);
  return e.json(200, await sensors.alarming(query));
}

export function routes(router: VersionedRouter): void {
  router.get("/sensors", listSensors);
  router.get("/sensors/alarms", listAlarms);
}
