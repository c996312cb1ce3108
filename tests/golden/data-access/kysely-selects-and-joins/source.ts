// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Device, db } from "./database.ts";

export async function listDevices(e: RequestEvent) {
  let query = db
    .selectFrom("device")
    .leftJoin("site", "site.id", "device.site_id")
    .select(["device.id", "device.serial", "device.status", "site.name as site_name"])
    .orderBy("device.serial");
  const model = e.query("model");
  if (model) query = query.where("device.model", "=", model);
  return e.json(200, await query.execute());
}

async function findDevice(id: number): Promise<Device | undefined> {
  return db.selectFrom("device").selectAll().where("id", "=", id).executeTakeFirst();
}

function latestReadings(deviceId: number) {
  return db
    .selectFrom("reading")
    .select(["metric", "value", "taken_at"])
    .where("device_id", "=", deviceId)
    .orderBy("taken_at", "desc")
    .limit(10)
    .execute();
}

export async function getDevice(e: RequestEvent<"id">) {
  const id = Number(e.pathValue("id"));
  const [device, readings] = await Promise.all([findDevice(id), latestReadings(id)]);
  if (!device) throw e.error(404, "There is no such device.");
  return e.json(200, { ...device, readings });
}

export async function deviceAverages(e: RequestEvent<"id">) {
  const rows = await db
    .selectFrom("reading")
    .innerJoin("device", "device.id", "reading.device_id")
    .select(({ fn }) => [
      "reading.metric",
      "device.serial",
      fn.avg<number>("reading.value").as("average"),
      fn.countAll<number>().as("samples"),
    ])
    .where("device.id", "=", Number(e.pathValue("id")))
    .groupBy(["reading.metric", "device.serial"])
    .execute();
  return e.json(200, rows);
}

export async function listOfflineSerials(e: RequestEvent) {
  const rows = await db.selectFrom("device").select("serial").where("status", "=", "offline").execute();
  return e.json(
    200,
    rows.map((row) => row.serial),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/devices", listDevices);
  router.get("/devices/{id}", getDevice);
  router.get("/devices/{id}/averages", deviceAverages);
  router.get("/offline-serials", listOfflineSerials);
}
