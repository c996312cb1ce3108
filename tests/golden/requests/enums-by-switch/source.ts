// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Reading {
  at: Date;
  kilowattHours: number;
}

class MeterStore {
  private readonly rows = new Map<string, Reading[]>();

  async readings(meter: string, bucketMillis: number, phase: number | null): Promise<Reading[]> {
    const all = this.rows.get(meter) ?? [];
    return phase === null ? all : all.slice(phase, bucketMillis);
  }
}

function bucketMillis(e: RequestEvent): number {
  switch (e.query("bucket")) {
    case "hour":
      return 3_600_000;
    case "day":
      return 86_400_000;
    case "week":
      return 604_800_000;
    default:
      throw e.error(400, "The bucket must be hour, day or week.");
  }
}

function phaseNumber(e: RequestEvent): number | null {
  switch (e.query("phase")) {
    case undefined:
      return null;
    case "l1":
      return 1;
    case "l2":
      return 2;
    case "l3":
      return 3;
    default:
      throw e.error(400, "There are the phases l1, l2 and l3.");
  }
}

class MeterController {
  private readonly store: MeterStore;

  constructor(store: MeterStore) {
    this.store = store;
  }

  /** Lists the readings of a meter. */
  async readings(e: RequestEvent<"meter">) {
    const readings = await this.store.readings(e.pathValue("meter"), bucketMillis(e), phaseNumber(e));
    switch (e.query("sort")) {
      case "value":
        readings.sort((a, b) => a.kilowattHours - b.kilowattHours);
        break;
      default:
        readings.sort((a, b) => a.at.getTime() - b.at.getTime());
    }
    return e.json(200, readings);
  }

  /** Sums up what a meter has counted. */
  async consumption(e: RequestEvent<"meter">) {
    const unit = e.query("unit") ?? "kwh";
    let factor: number;
    switch (unit) {
      case "wh":
        factor = 1000;
        break;
      case "kwh":
        factor = 1;
        break;
      case "mwh":
        factor = 0.001;
        break;
      default:
        return e.json(422, { problem: "There are the units wh, kwh and mwh." });
    }
    let sum = 0;
    for (const reading of await this.store.readings(e.pathValue("meter"), 3_600_000, null)) {
      sum += reading.kilowattHours;
    }
    return e.json(200, { consumed: sum * factor });
  }
}

export function routes(router: VersionedRouter): void {
  const controller = new MeterController(new MeterStore());
  router.get("/meters/{meter}/readings", controller.readings.bind(controller));
  router.get("/meters/{meter}/consumption", controller.consumption.bind(controller));
}
