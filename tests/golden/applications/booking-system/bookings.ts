import { randomUUID } from "node:crypto";
import { ApiError } from "../../../../src/index.ts";

export interface NewBooking {
  from: string;
  to: string;
  guests: number;
  guest: { name: string; email: string; phone?: string };
  wishes?: string[];
}

export interface Booking {
  reference: string;
  room: { id: string; name: string };
  from: string;
  to: string;
  guests: number;
  state: "held" | "confirmed" | "cancelled";
  version: number;
  createdAt: Date;
}

export type Night = { day: string; free: boolean; price: number };

export class RoomTaken extends ApiError {
  constructor(room: string) {
    super(409, `The room ${room} is taken in these nights.`);
  }
}

interface Room {
  id: string;
  name: string;
  beds: number;
  nights: Night[];
}

export class Bookings {
  private readonly rooms = new Map<string, Room>();
  private readonly all = new Map<string, Booking>();

  room(id: string): Room | undefined {
    return this.rooms.get(id);
  }

  find(reference: string): Booking | undefined {
    return this.all.get(reference);
  }

  book(room: Room, wanted: NewBooking): Booking {
    const nights = room.nights.filter((night) => night.day >= wanted.from && night.day < wanted.to);
    if (nights.some((night) => !night.free)) throw new RoomTaken(room.name);
    if (wanted.guests > room.beds) throw new ApiError(422, "The room has too few beds.");
    const { from, to, guests } = wanted;
    const { id, name } = room;
    const reference = randomUUID();
    const booking: Booking = {
      reference,
      room: { id, name },
      from,
      to,
      guests,
      state: "held",
      version: 1,
      createdAt: new Date(),
    };
    this.all.set(booking.reference, booking);
    return booking;
  }

  change(booking: Booking, changes: Partial<Pick<Booking, "guests" | "state">>): Booking {
    const changed: Booking = { ...booking, ...changes, version: booking.version + 1 };
    this.all.set(booking.reference, changed);
    return changed;
  }
}
