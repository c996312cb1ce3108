// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const MAX_PER_PAGE = 200;

interface Device {
  serial: string;
  model: string;
  online: boolean;
}

interface Reading {
  at: Date;
  value: number;
}

declare const devices: {
  page(offset: number, limit: number): Promise<Device[]>;
  latest(serial: string, limit: number): Promise<Reading[]>;
  since(serial: string, hours: number): Promise<Reading[]>;
};

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

function intParam(e: RequestEvent, name: string, fallback: number): number {
  const value = Number.parseInt(e.query(name) ?? "", 10);
  return Number.isNaN(value) ? fallback : value;
}

class PageRequest {
  readonly page: number;
  readonly perPage: number;

  constructor(page: number, perPage: number) {
    this.page = Math.max(1, page);
    this.perPage = clamp(perPage, 1, MAX_PER_PAGE);
  }

  static from(e: RequestEvent): PageRequest {
    return new PageRequest(intParam(e, "page", 1), intParam(e, "per_page", 50));
  }

  get offset(): number {
    return (this.page - 1) * this.perPage;
  }
}

async function listDevices(e: RequestEvent) {
  const request = PageRequest.from(e);
  return e.json(200, await devices.page(request.offset, request.perPage));
}

async function listLatestReadings(e: RequestEvent<"serial">) {
  let limit = Number(e.query("limit") ?? "10");
  if (limit > 100) limit = 100;
  if (limit < 1) limit = 1;
  return e.json(200, await devices.latest(e.pathValue("serial"), limit));
}

async function listReadings(e: RequestEvent<"serial">) {
  const hours = Number(e.query("hours") ?? 24);
  const sensible = hours >= 1 && hours <= 72 ? hours : 24;
  return e.json(200, await devices.since(e.pathValue("serial"), sensible));
}

export function routes(router: VersionedRouter): void {
  router.get("/devices", listDevices);
  router.get("/devices/{serial}/readings/latest", listLatestReadings);
  router.get("/devices/{serial}/readings", listReadings);
}
