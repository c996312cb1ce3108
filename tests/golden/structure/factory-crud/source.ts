// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { makeCrud } from "./crud.ts";
import { MemoryRepository } from "./repository.ts";

interface NewVehicle {
  plate: string;
  seats: number;
}

interface Vehicle extends NewVehicle {
  id: string;
  inService: boolean;
}

interface NewDriver {
  name: string;
  phone?: string;
}

interface Driver {
  id: string;
  name: string;
  hiredAt: Date;
}

const vehicles = new MemoryRepository<Vehicle, NewVehicle>((id, input) => ({
  ...input,
  id,
  inService: true,
}));
const drivers = new MemoryRepository<Driver, NewDriver>((id, { name }) => ({
  id,
  name,
  hiredAt: new Date(),
}));

let isReadOnly = false;

export function setReadOnly(value: boolean): void {
  isReadOnly = value;
}

async function refuseWhileReadOnly(e: RequestEvent) {
  if (isReadOnly) throw e.error(503, "Changes are not possible during maintenance.");
  await e.next();
}

export function routes(router: VersionedRouter): void {
  router.crud("vehicles", makeCrud(vehicles, 20));
  router.crud("drivers", makeCrud(drivers, 50), refuseWhileReadOnly);
}
