export type Result<T, E extends string> = { ok: true; data: T } | { ok: false; error: E };

export interface Reservation {
  id: string;
  concertId: string;
  seat: string;
  heldUntil: Date;
}

export type ReserveError = "UNKNOWN_CONCERT" | "SOLD_OUT" | "SEAT_TAKEN";
export type CancelError = "UNKNOWN_RESERVATION" | "ALREADY_PLAYED";
export type SaleError = "NOT_STARTED" | "CLOSED";

export interface Reservations {
  reserve(concertId: string, seat: string): Promise<Result<Reservation, ReserveError>>;
  cancel(id: string): Promise<Result<null, CancelError>>;
  availability(concertId: string): Promise<Result<{ free: number; rows: string[] }, SaleError>>;
}
