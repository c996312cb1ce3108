// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Position = readonly [longitude: number, latitude: number];
type Sample = [second: number, watts: number];

interface Track {
  id: string;
  name: string;
  points: { lon: number; lat: number }[];
  power: { second: number; watts: number }[];
}

interface LineString {
  type: "LineString";
  coordinates: Position[];
}

interface Feature {
  type: "Feature";
  geometry: LineString;
  properties: { name: string };
  bbox: [west: number, south: number, east: number, north: number];
}

declare function findTrack(id: string): Promise<Track | null>;

async function requireTrack(e: RequestEvent<"id">): Promise<Track> {
  const track = await findTrack(e.pathValue("id"));
  if (track === null) throw e.error(404, "There is no such track.");
  return track;
}

function boundsOf(points: readonly Position[]): Feature["bbox"] {
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

async function getTrack(e: RequestEvent<"id">) {
  const track = await requireTrack(e);
  const coordinates = track.points.map(({ lon, lat }): Position => [lon, lat]);
  const feature: Feature = {
    type: "Feature",
    geometry: { type: "LineString", coordinates },
    properties: { name: track.name },
    bbox: boundsOf(coordinates),
  };
  return e.json(200, feature);
}

async function getPower(e: RequestEvent<"id">) {
  const { id, power } = await requireTrack(e);
  const samples: Sample[] = power.map(({ second, watts }) => [second, watts]);
  return e.json(200, { id, samples });
}

async function getZones(e: RequestEvent<"id">) {
  const { power } = await requireTrack(e);
  const zones: Record<string, number> = {};
  for (const { watts } of power) {
    const zone = watts > 250 ? "hard" : watts > 150 ? "steady" : "easy";
    zones[zone] = (zones[zone] ?? 0) + 1;
  }
  return e.json(200, Object.entries(zones));
}

export function routes(router: VersionedRouter): void {
  router.get("/tracks/{id}", getTrack);
  router.get("/tracks/{id}/power", getPower);
  router.get("/tracks/{id}/zones", getZones);
}
