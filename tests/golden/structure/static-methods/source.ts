// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { Parcel, type ParcelData } from "./parcel.ts";

class ParcelHandlers {
  private static readonly parcels = new Map<string, Parcel>();

  /** Register a parcel. */
  static async register(e: RequestEvent) {
    const parcel = Parcel.of(await e.bindBody<ParcelData>());
    ParcelHandlers.parcels.set(parcel.number, parcel);
    e.setHeader("Location", `/parcels/${parcel.number}`);
    return e.json(201, parcel);
  }

  /** Return where a parcel is. */
  static track(e: RequestEvent<"number">) {
    const parcel = ParcelHandlers.find(e);
    const detailed = e.query("detailed") === "true";
    return e.json(200, { number: parcel.number, stops: parcel.stops.slice(detailed ? 0 : -1) });
  }

  static readonly printLabel = (e: RequestEvent<"number">) => {
    const parcel = ParcelHandlers.find(e);
    const size = e.query("size") ?? "a6";
    switch (size) {
      case "a5":
      case "a6":
        return e.html(200, `<main class="${size}">${parcel.recipient}</main>`);
      default:
        throw e.error(400, "A label is a5 or a6.");
    }
  };

  private static find(e: RequestEvent<"number">): Parcel {
    const parcel = ParcelHandlers.parcels.get(e.pathValue("number"));
    if (!parcel) throw e.error(404, "There is no such parcel.");
    return parcel;
  }
}

export function routes(router: VersionedRouter): void {
  router.post("/parcels", ParcelHandlers.register);
  router.get("/parcels/{number}", ParcelHandlers.track);
  router.get("/parcels/{number}/label", ParcelHandlers.printLabel);
}
