// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";
import type { BookingService, NewBooking } from "./booking-service.ts";
import type { Mailer } from "./mailer.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export class BookingController {
  private readonly bookings: BookingService;
  private readonly mailer: Mailer;

  constructor(bookings: BookingService, mailer: Mailer) {
    this.bookings = bookings;
    this.mailer = mailer;
  }

  /** List the bookings of one day. Cancelled ones are left out. */
  listBookings = async (e: RequestEvent) => {
    const day = e.query("day");
    if (day === undefined || !DAY.test(day)) throw e.error(400, "A day looks like 2025-03-31.");
    const bookings = await this.bookings.ofDay(day);
    return e.json(200, { day, bookings, total: bookings.length });
  };

  showBooking = async (e: RequestEvent<"id">) => e.json(200, await this.bookings.byId(e.pathValue("id")));

  /** Book a court. The player gets a confirmation by mail. */
  createBooking = async (e: RequestEvent) => {
    const wanted = await e.bindBody<NewBooking>();
    const booking = await this.bookings.book(wanted);
    await this.mailer.send(wanted.email, `Court ${booking.court} is yours on ${booking.day}.`);
    e.setHeader("Location", `/bookings/${booking.id}`);
    return e.json(201, booking);
  };

  async cancel(e: RequestEvent<"id">) {
    const booking = await this.bookings.byId(e.pathValue("id"));
    await this.bookings.cancel(booking);
    if (e.query("silent") !== "true") await this.notify(booking.email);
    return e.noContent();
  }

  private async notify(email: string): Promise<void> {
    await this.mailer.send(email, "Your booking has been cancelled.");
  }
}
