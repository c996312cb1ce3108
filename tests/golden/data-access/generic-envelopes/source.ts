// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { created, paginate, respond } from "./envelopes.ts";

interface Vehicle {
  id: string;
  plate: string;
  seats: number;
  electric: boolean;
}

interface Inspection {
  id: string;
  vehicleId: string;
  doneAt: Date;
  passed: boolean;
  remarks: string[];
}

const vehicles: Vehicle[] = [];
const inspections: Inspection[] = [];

declare function nextInspectionId(): string;

function listVehicles(e: RequestEvent) {
  const page = parseInt(e.query("page") ?? "1", 10);
  return respond(e, paginate(vehicles, page, 20));
}

function getVehicle(e: RequestEvent<"id">) {
  const vehicle = vehicles.find((one) => one.id === e.pathValue("id"));
  if (!vehicle) throw e.error(404, "There is no such vehicle.");
  const failed = inspections.some((one) => one.vehicleId === vehicle.id && !one.passed);
  return respond(e, vehicle, failed ? ["This vehicle has failed an inspection."] : []);
}

function listInspections(e: RequestEvent<"id">) {
  const id = e.pathValue("id");
  const own = inspections
    .filter((one) => one.vehicleId === id)
    .map(({ vehicleId, ...inspection }) => inspection);
  return respond(e, paginate(own, 1, 100));
}

async function addInspection(e: RequestEvent<"id">) {
  const { passed, remarks = [] } = await e.bindBody<{ passed: boolean; remarks?: string[] }>();
  const inspection: Inspection = {
    id: nextInspectionId(),
    vehicleId: e.pathValue("id"),
    doneAt: new Date(),
    passed,
    remarks,
  };
  inspections.push(inspection);
  return created(e, "/inspections", inspection);
}

function listPlates(e: RequestEvent) {
  return respond(
    e,
    vehicles.map((vehicle) => vehicle.plate),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/vehicles", listVehicles);
  router.get("/vehicles/{id}", getVehicle);
  router.get("/vehicles/{id}/inspections", listInspections);
  router.post("/vehicles/{id}/inspections", addInspection);
  router.get("/plates", listPlates);
}
