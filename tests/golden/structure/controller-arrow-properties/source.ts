// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { BookingController } from "./booking-controller.ts";
import { BookingService } from "./booking-service.ts";
import { ConsoleMailer } from "./mailer.ts";

export function routes(router: VersionedRouter): void {
  const controller = new BookingController(new BookingService(), new ConsoleMailer());
  router.get("/bookings", controller.listBookings);
  router.get("/bookings/{id}", controller.showBooking);
  router.post("/bookings", controller.createBooking);
  router.delete("/bookings/{id}", (e) => controller.cancel(e));
}
