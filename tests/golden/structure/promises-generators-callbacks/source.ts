// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";
import { alarmsOf, findSensor, latestReading, ping, readingsOf, SensorRetired } from "./sensors.ts";

/** Return a sensor with its last reading and its alarms. */
export async function getOverview(e: RequestEvent<"id">) {
  const id = e.pathValue("id");
  const [sensor, latest, alarms] = await Promise.all([findSensor(id), latestReading(id), alarmsOf(id)]);
  return e.json(200, { sensor, latest, alarms: alarms.length });
}

/** Export the readings of a sensor as lines of text. */
export async function exportReadings(e: RequestEvent<"id">) {
  const least = Number(e.query("least") ?? "-273");
  const sensor = await findSensor(e.pathValue("id"));
  const lines: string[] = [];
  for await (const { at, celsius } of readingsOf(sensor.id)) {
    if (celsius >= least) lines.push(`${at.toISOString()};${celsius}`);
  }
  return e.text(200, lines.join("\n"));
}

/** Return one sensor. */
export function getSensor(e: RequestEvent<"id">) {
  return findSensor(e.pathValue("id"))
    .then((sensor) => e.json(200, sensor))
    .catch((error: unknown) => {
      if (error instanceof SensorRetired)
        return e.json(410, { sensor: error.id, replacedBy: error.replacedBy });
      throw error;
    });
}

function milliseconds(host: string, patience: number): Promise<number> {
  return new Promise((resolve, reject) => {
    ping(host, patience, (error, ms) => {
      if (error) reject(new ApiError(504, "The sensor does not answer.", { cause: error }));
      else resolve(ms);
    });
  });
}

/** Measure how fast a sensor answers. */
export async function pingSensor(e: RequestEvent<"id">) {
  const patience = Number.parseInt(e.query("patience") ?? "1000", 10);
  if (patience > 5000) throw e.error(400, "Nobody waits more than 5 seconds.");
  const { host } = await findSensor(e.pathValue("id"));
  return e.json(200, { host, ms: await milliseconds(host, patience) });
}

export function routes(router: VersionedRouter): void {
  router.get("/sensors/{id}", getSensor);
  router.get("/sensors/{id}/overview", getOverview);
  router.get("/sensors/{id}/readings", exportReadings);
  router.post("/sensors/{id}/ping", pingSensor);
}
