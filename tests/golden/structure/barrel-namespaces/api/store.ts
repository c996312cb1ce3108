import { ApiError } from "../../../../../src/index.ts";

export interface Room {
  id: string;
  floor: number;
  seats: number;
  equipment: ("projector" | "whiteboard" | "phone")[];
}

export interface BookingData {
  roomId: string;
  guests: number;
  from: string;
  until: string;
  state: "confirmed" | "waiting";
}

export interface Booking extends BookingData {
  id: string;
}

const rooms = new Map<string, Room>();
const bookings = new Map<string, Booking>();

export function allRooms(): Room[] {
  return [...rooms.values()];
}

export function roomById(id: string): Room {
  const room = rooms.get(id);
  if (!room) throw new ApiError(404, `There is no room ${id}.`);
  return room;
}

export function isTaken(roomId: string, from: string, until: string): boolean {
  return [...bookings.values()].some(
    (other) => other.roomId === roomId && other.from < until && from < other.until,
  );
}

export function save(data: BookingData): Booking {
  const booking: Booking = { ...data, id: String(bookings.size + 1) };
  bookings.set(booking.id, booking);
  return booking;
}

export function remove(id: string): boolean {
  return bookings.delete(id);
}
