// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const UNITS = new Set(["metric", "imperial"]);

interface Region {
  id: string;
  name: string;
}

interface Measurement {
  at: Date;
  value: number;
}

declare const regions: { find(id: string): Promise<Region | undefined> };
declare const weather: {
  measurements(station: string, since: string | undefined, limit: number): Promise<Measurement[]>;
  forecast(region: Region | null, unit: string): Promise<Measurement[]>;
};

function assertDay(e: RequestEvent, value: string | undefined): asserts value is string {
  if (value === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(value)) throw e.error(400, "That is no day.");
}

async function resolveRegion(e: RequestEvent): Promise<Region> {
  const id = e.query("region");
  if (!id) throw e.error(400, "Which region?");
  const region = await regions.find(id);
  if (!region) throw e.error(404, "There is no such region.");
  return region;
}

async function listMeasurements(e: RequestEvent<"station">) {
  let since = e.query("since");
  try {
    assertDay(e, since);
  } catch {
    since = undefined;
  }
  const limit = Number(e.query("limit") ?? "100");
  if (limit > 5000) {
    e.app.logger.warn("A very long list of measurements", { limit, ip: e.ip });
  }
  if (limit < 1) {
    const problem = e.error(400, "The limit is too small.");
    e.app.logger.warn(problem.message, { limit });
  }
  return e.json(200, await weather.measurements(e.pathValue("station"), since, limit));
}

async function getForecast(e: RequestEvent) {
  const warnings: string[] = [];
  const region = await resolveRegion(e).catch(() => null);
  if (region === null) warnings.push("This is the forecast of the whole country.");
  const unit = e.query("unit") ?? "metric";
  if (!UNITS.has(unit)) warnings.push(`The unit ${unit} is not known.`);
  return e.json(200, { values: await weather.forecast(region, unit), warnings });
}

export function routes(router: VersionedRouter): void {
  router.get("/stations/{station}/measurements", listMeasurements);
  router.get("/forecast", getForecast);
}
