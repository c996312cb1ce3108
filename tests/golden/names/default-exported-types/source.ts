// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type Port from "./harbour.ts";
import LightHouse from "./light-house.ts";
import type Tide from "./tide.ts";
import Vessel from "./vessel.ts";

declare const port: Port;
declare const tide: Tide;

const getPort = (e: RequestEvent) => e.json(200, port);
const getTide = (e: RequestEvent) => e.json(200, tide);
const getVessel = (e: RequestEvent) => e.json(200, new Vessel());
const getLight = (e: RequestEvent) => e.json(200, new LightHouse());

export function routes(router: VersionedRouter): void {
  router.get("/port", getPort);
  router.get("/tide", getTide);
  router.get("/vessel", getVessel);
  router.get("/light", getLight);
}
