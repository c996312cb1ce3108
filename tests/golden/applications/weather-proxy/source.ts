// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { ask, Conditions, Forecast, Station } from "./upstream.ts";

type Units = "metric" | "imperial";

function coordinate(e: RequestEvent, name: string, limit: number): number {
  const value = Number(e.query(name));
  if (Number.isNaN(value) || value < -limit || value > limit) throw e.error(400, `${name} is out of range.`);
  return value;
}

function unitsOf(e: RequestEvent): Units {
  const units = e.query("units") ?? "metric";
  if (units !== "metric" && units !== "imperial") throw e.error(400, "units is metric or imperial.");
  return units;
}

const toUnits = (celsius: number, units: Units) => (units === "metric" ? celsius : celsius * 1.8 + 32);

// API_DESC Returns the weather at a point of the earth.
export async function currentWeather(e: RequestEvent) {
  const lat = coordinate(e, "lat", 90);
  const lon = coordinate(e, "lon", 180);
  const units = unitsOf(e);
  const conditions = await ask("/conditions", { latitude: String(lat), longitude: String(lon) }, Conditions);
  e.setHeader("Cache-Control", "public, max-age=300");
  return e.json(200, {
    temperature: toUnits(conditions.temp, units),
    feelsLike: toUnits(conditions.feels_like, units),
    units,
    windSpeed: conditions.wind.speed,
    description: conditions.summary,
    observedAt: new Date(conditions.observed * 1000).toISOString(),
  });
}

// API_DESC Returns the weather of the next days in a city.
export async function cityForecast(e: RequestEvent<"city">) {
  const days = Number.parseInt(e.query("days") ?? "5", 10);
  if (Number.isNaN(days) || days < 1 || days > 14) throw e.error(400, "Ask for 1 to 14 days.");
  const units = unitsOf(e);
  const forecast = await ask("/forecast", { q: e.pathValue("city"), cnt: String(days) }, Forecast);
  const daily = forecast.days.map((day) => ({
    date: day.date,
    low: toUnits(day.low, units),
    high: toUnits(day.high, units),
    rain: day.rain_mm,
  }));
  return e.json(200, { city: forecast.place.name, country: forecast.place.country, days: daily });
}

// API_DESC Returns a station as the weather service describes it.
export async function getStation(e: RequestEvent<"id">) {
  const {
    station_id: id,
    label,
    kind,
    position,
  } = await ask(`/stations/${encodeURIComponent(e.pathValue("id"))}`, {}, Station);
  const [latitude, longitude] = position;
  return e.json(200, { id, label, kind, latitude, longitude });
}

export function routes(router: VersionedRouter): void {
  router.get("/weather/current", currentWeather);
  router.get("/weather/cities/{city}/forecast", cityForecast);
  router.get("/weather/stations/{id}", getStation);
}
