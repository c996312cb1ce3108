// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { DeviceService } from "./device-service.ts";

const service = new DeviceService("main");
const restart = service.restart.bind(service);

export function routes(router: VersionedRouter): void {
  router.get("/devices", service.list.bind(service));
  router.patch("/devices/{id}", service.rename.bind(service));
  router.post("/devices/{id}/restart", restart);
  router.get("/reports/daily", service.report.bind(service, 1));
  router.get("/reports/weekly", service.report.bind(service, 7));
}
