// API_SOURCE
import { Readable } from "node:stream";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  deviceOf,
  devices,
  hashOf,
  type Model,
  parseReading,
  type Position,
  publicView,
  type Reading,
  readings,
  sendingDevice,
} from "./registry.ts";

interface Registration {
  serial: string;
  model: Model;
  position?: Position;
}

interface Rejected {
  line: number;
  reason: string;
}

const MAX_FIRMWARE = 8 * 1024 * 1024;

declare function newDeviceKey(): string;
declare function storeFirmware(serial: string, image: Uint8Array): Promise<string>;

// API_DESC Registers a device and hands out its key, once.
async function registerDevice(e: RequestEvent) {
  const registration = await e.bindBody<Registration>();
  if (devices.has(registration.serial)) throw e.error(409, "This device is registered.");
  const deviceKey = newDeviceKey();
  devices.set(registration.serial, {
    ...registration,
    firmware: null,
    lastSeen: null,
    keyHash: hashOf(deviceKey),
  });
  return e.json(201, { serial: registration.serial, deviceKey });
}

// API_DESC Returns one device.
function getDevice(e: RequestEvent<"serial">) {
  return e.json(200, publicView(deviceOf(e)));
}

// API_DESC Takes readings, one JSON object a line.
// API_DESC Lines that are no readings are told, and the others are kept.
async function ingestTelemetry(e: RequestEvent<"serial">) {
  const { serial } = sendingDevice(e);
  if (e.header("Content-Type") !== "application/x-ndjson") throw e.error(415, "Send application/x-ndjson.");
  const lines = (await e.readText()).split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw e.error(400, "There is not a single line.");
  const accepted: Reading[] = [];
  const rejected: Rejected[] = [];
  for (const [index, line] of lines.entries()) {
    try {
      accepted.push(parseReading(line));
    } catch (error) {
      rejected.push({ line: index + 1, reason: String(error) });
    }
  }
  readings.set(serial, [...(readings.get(serial) ?? []), ...accepted]);
  return e.json(202, { accepted: accepted.length, rejected });
}

// API_DESC Streams the readings of a device.
function streamReadings(e: RequestEvent<"serial">) {
  const { serial } = deviceOf(e);
  const metric = e.query("metric");
  const found = (readings.get(serial) ?? []).filter(
    (reading) => metric === undefined || reading.metric === metric,
  );
  return e.stream(
    200,
    "application/x-ndjson",
    Readable.from(found.map((reading) => `${JSON.stringify(reading)}\n`)),
  );
}

// API_DESC Replaces the firmware of a device.
async function uploadFirmware(e: RequestEvent<"serial">) {
  const device = sendingDevice(e);
  e.limitBody(MAX_FIRMWARE);
  const image = await e.readBytes();
  if (image.length === 0) throw e.error(400, "The image is empty.");
  device.firmware = await storeFirmware(device.serial, image);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/devices", registerDevice);
  router.get("/devices/{serial}", getDevice);
  router.post("/devices/{serial}/telemetry", ingestTelemetry);
  router.get("/devices/{serial}/telemetry", streamReadings);
  router.put("/devices/{serial}/firmware", uploadFirmware);
}
