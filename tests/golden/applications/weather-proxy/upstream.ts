import { z } from "zod";
import { ApiError } from "../../../../src/index.ts";

const BASE = "https://weather.example.com/v3";

export const Conditions = z.object({
  temp: z.number(),
  feels_like: z.number(),
  wind: z.object({ speed: z.number(), degrees: z.number().optional() }),
  summary: z.string(),
  observed: z.number(),
});

export const Forecast = z.object({
  place: z.object({ name: z.string(), country: z.string() }),
  days: z.array(
    z.object({ date: z.string(), low: z.number(), high: z.number(), rain_mm: z.number().nullable() }),
  ),
});

export const Station = z.object({
  station_id: z.string(),
  label: z.string(),
  kind: z.enum(["airport", "city", "mountain"]),
  position: z.tuple([z.number(), z.number()]),
});

/** Asks the weather service, and trusts nothing that it answers. */
export async function ask<S extends z.ZodType>(
  path: string,
  query: Record<string, string>,
  schema: S,
): Promise<z.infer<S>> {
  const url = new URL(BASE + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.searchParams.set("appid", process.env.WEATHER_APP_ID ?? "");
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { "X-Client": "weather-proxy" },
      signal: AbortSignal.timeout(5000),
    });
  } catch {
    throw new ApiError(504, "The weather service does not answer.");
  }
  if (response.status === 404) throw new ApiError(404, "The weather service does not know this place.");
  if (!response.ok) throw new ApiError(502, "The weather service has a problem.");
  const parsed = schema.safeParse(await response.json());
  if (!parsed.success) throw new ApiError(502, "The weather service answers something else than it used to.");
  return parsed.data;
}
