import { ApiError } from "../../../../src/index.ts";

export interface Sensor {
  id: string;
  host: string;
  room: string | null;
}

export interface Reading {
  at: Date;
  celsius: number;
}

export class SensorRetired extends ApiError {
  readonly id: string;
  readonly replacedBy: string | null;

  constructor(id: string, replacedBy: string | null) {
    super(404, `The sensor ${id} is no longer in use.`);
    this.id = id;
    this.replacedBy = replacedBy;
  }
}

const PER_PAGE = 100;
const sensors = new Map<string, Sensor>();
const readings = new Map<string, Reading[]>();
const retired = new Map<string, string | null>();

export async function findSensor(id: string): Promise<Sensor> {
  const replacedBy = retired.get(id);
  if (replacedBy !== undefined) throw new SensorRetired(id, replacedBy);
  const sensor = sensors.get(id);
  if (!sensor) throw new ApiError(422, "This is no ID of a sensor.");
  return sensor;
}

export async function latestReading(id: string): Promise<number | null> {
  return readings.get(id)?.at(-1)?.celsius ?? null;
}

export async function alarmsOf(id: string): Promise<Date[]> {
  const list = readings.get(id);
  if (!list) throw new ApiError(503, "The alarms are being calculated.");
  return list.filter(({ celsius }) => celsius > 80).map(({ at }) => at);
}

async function pageOf(id: string, page: number): Promise<Reading[]> {
  return readings.get(id)?.slice(page * PER_PAGE, (page + 1) * PER_PAGE) ?? [];
}

export async function* readingsOf(id: string): AsyncGenerator<Reading> {
  for (let page = 0; ; page++) {
    const rows = await pageOf(id, page);
    if (page > 1000) throw new ApiError(507, "There are too many readings for one export.");
    yield* rows;
    if (rows.length < PER_PAGE) return;
  }
}

export function ping(host: string, patience: number, done: (error: Error | null, ms: number) => void): void {
  const start = performance.now();
  setTimeout(() => {
    const ms = performance.now() - start;
    done(host === "" ? new Error("no host") : null, ms);
  }, patience / 10);
}
