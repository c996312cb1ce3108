// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Changes, type Nullable, type NumbersOf, type Prefixed, serialize } from "./types.ts";

interface Station {
  id: string;
  name: string;
  online: boolean;
  temperature: number;
  humidity: number;
  lastSeen: Date;
  sensors: { kind: "wind" | "rain"; calibratedAt: Date }[];
}

type Measures = NumbersOf<Station>;

const stations = new Map<string, Station>();

declare function history(id: string): Promise<Measures[]>;
declare function audit(id: string): Promise<Changes<Pick<Station, "name" | "online">>[]>;

function find(e: RequestEvent<"id">): Station {
  const station = stations.get(e.pathValue("id"));
  if (!station) throw e.error(404, "There is no such station.");
  return station;
}

function getStation(e: RequestEvent<"id">) {
  const station = find(e);
  return e.json(200, serialize(station));
}

function getMeasures(e: RequestEvent<"id">) {
  const { online, temperature, humidity } = find(e);
  const measures: Nullable<Measures> = online
    ? { temperature, humidity }
    : { temperature: null, humidity: null };
  return e.json(200, measures);
}

async function getAverages(e: RequestEvent<"id">) {
  const measures = await history(find(e).id);
  if (measures.length === 0) throw e.error(409, "Nothing has been measured yet.");
  const mean = (key: keyof Measures) => measures.reduce((sum, one) => sum + one[key], 0) / measures.length;
  const averages: Prefixed<Measures, "avg"> = {
    avg_temperature: mean("temperature"),
    avg_humidity: mean("humidity"),
  };
  return e.json(200, averages);
}

async function listChanges(e: RequestEvent<"id">) {
  return e.json(200, { changes: await audit(e.pathValue("id")) });
}

export function routes(router: VersionedRouter): void {
  router.get("/stations/{id}", getStation);
  router.get("/stations/{id}/measures", getMeasures);
  router.get("/stations/{id}/averages", getAverages);
  router.get("/stations/{id}/changes", listChanges);
}
