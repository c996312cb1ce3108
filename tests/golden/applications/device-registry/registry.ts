import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestEvent } from "../../../../src/index.ts";

export const MODELS = ["air-1", "air-2", "water-1"] as const;
export type Model = (typeof MODELS)[number];

export interface Position {
  latitude: number;
  longitude: number;
}

export interface Device {
  serial: string;
  model: Model;
  position?: Position;
  firmware: string | null;
  lastSeen: Date | null;
}

export interface Reading {
  at: string;
  metric: "temperature" | "humidity" | "pressure";
  value: number;
}

interface StoredDevice extends Device {
  keyHash: Buffer;
}

export const devices = new Map<string, StoredDevice>();
export const readings = new Map<string, Reading[]>();

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function publicView({ serial, model, position, firmware, lastSeen }: StoredDevice): Device {
  return { serial, model, firmware, lastSeen, ...(position && { position }) };
}

export function deviceOf(e: RequestEvent<"serial">): StoredDevice {
  const device = devices.get(e.pathValue("serial"));
  if (!device) throw e.error(404, "This device is not registered.");
  return device;
}

/** Only the device itself may send. */
export function sendingDevice(e: RequestEvent<"serial">): StoredDevice {
  const device = deviceOf(e);
  const key = e.header("X-Device-Key");
  if (key === undefined || !timingSafeEqual(hashOf(key), device.keyHash)) {
    throw e.error(401, "The key of the device is missing or wrong.");
  }
  device.lastSeen = new Date();
  return device;
}

export function parseReading(line: string): Reading {
  const { at, metric, value } = JSON.parse(line) as Reading;
  if (Number.isNaN(Date.parse(at)) || !Number.isFinite(value)) throw new TypeError("not a reading");
  return { at, metric, value };
}
