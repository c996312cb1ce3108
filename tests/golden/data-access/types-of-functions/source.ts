// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface ShiftRow {
  id: string;
  employee_id: string;
  starts_at: Date;
  ends_at: Date;
  role: "driver" | "dispatcher";
}

declare function queryShifts(employeeId: string): Promise<ShiftRow[]>;

async function loadShifts(employeeId: string) {
  const rows = await queryShifts(employeeId);
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    startsAt: row.starts_at,
    hours: Math.round((row.ends_at.getTime() - row.starts_at.getTime()) / 360_000) / 10,
  }));
}

type Shift = Awaited<ReturnType<typeof loadShifts>>[number];

interface Roster {
  employeeId: string;
  shifts: Shift[];
  next?: Shift;
}

async function makeRoster(employeeId: string): Promise<Roster> {
  const shifts = await loadShifts(employeeId);
  const roster: Roster = { employeeId, shifts };
  const next = shifts.find((shift) => shift.startsAt > new Date());
  if (next) roster.next = next;
  return roster;
}

async function getRoster(e: RequestEvent<"id">) {
  const roster = await makeRoster(e.pathValue("id"));
  if (roster.shifts.length === 0) throw e.error(404, "This employee has no shifts.");
  return e.json(200, roster);
}

function calculateFare(trip: { distanceKm: number; passengers: number; night?: boolean }): {
  amount: number;
  currency: "EUR" | "CHF";
} {
  const amount = trip.distanceKm * 1.9 + trip.passengers * 0.5;
  return { amount: trip.night ? amount * 1.25 : amount, currency: "EUR" };
}

type Trip = Parameters<typeof calculateFare>[0];
type Quote = { trip: Trip; fare: ReturnType<typeof calculateFare>; currency: Quote["fare"]["currency"] };

async function quoteTrip(e: RequestEvent) {
  const trip = await e.bindBody<Trip>();
  if (trip.passengers > 8) throw e.error(422, "Our largest car takes eight passengers.");
  const fare = calculateFare(trip);
  const quote: Quote = { trip, fare, currency: fare.currency };
  return e.json(200, quote);
}

class Depot {
  readonly name: string;
  readonly cars: number;

  constructor(name: string, cars: number) {
    this.name = name;
    this.cars = cars;
  }
}

const depots: InstanceType<typeof Depot>[] = [new Depot("North", 12), new Depot("Harbour", 7)];

function listDepots(e: RequestEvent) {
  return e.json(200, depots);
}

export function routes(router: VersionedRouter): void {
  router.get("/employees/{id}/roster", getRoster);
  router.post("/quotes", quoteTrip);
  router.get("/depots", listDepots);
}
