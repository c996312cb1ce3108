// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import * as api from "./api/index.ts";
import { bookings } from "./api/index.ts";

export function routes(router: VersionedRouter): void {
  router.get("/rooms", api.rooms.listRooms);
  router.get("/rooms/{id}", api.rooms.getRoom);
  router.post("/bookings", bookings.createBooking);
  router.delete("/bookings/{id}", bookings.cancelBooking);
}
