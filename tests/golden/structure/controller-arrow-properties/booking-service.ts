import { ApiError } from "../../../../src/index.ts";

export interface NewBooking {
  court: number;
  day: string;
  hour: number;
  email: string;
}

export interface Booking extends NewBooking {
  id: string;
  cancelledAt?: Date;
}

export class SlotTaken extends ApiError {
  constructor({ court, day, hour }: NewBooking) {
    super(409, `Court ${court} is taken on ${day} at ${hour}.`);
  }
}

export class BookingService {
  private readonly bookings: Booking[] = [];

  async ofDay(day: string): Promise<Booking[]> {
    return this.bookings.filter((booking) => booking.day === day && booking.cancelledAt === undefined);
  }

  async byId(id: string): Promise<Booking> {
    const booking = this.bookings.find((other) => other.id === id);
    if (!booking) throw new ApiError(404, "There is no such booking.");
    return booking;
  }

  async book(wanted: NewBooking): Promise<Booking> {
    this.assertFree(wanted);
    const booking: Booking = { ...wanted, id: `b${this.bookings.length + 1}` };
    this.bookings.push(booking);
    return booking;
  }

  async cancel(booking: Booking): Promise<void> {
    if (booking.cancelledAt) throw new ApiError(410, "The booking has been cancelled already.");
    booking.cancelledAt = new Date();
  }

  private assertFree(wanted: NewBooking): void {
    const other = this.bookings.find(
      ({ court, day, hour }) => court === wanted.court && day === wanted.day && hour === wanted.hour,
    );
    if (other) throw new SlotTaken(wanted);
  }
}
