// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const CABINS = new Set(["economy", "business", "first"]);

interface Flight {
  id: string;
  departs: Date;
  price: number;
}

interface Passenger {
  name: string;
  seat: string | null;
}

declare const flights: {
  search(trip: string, passengers: number, back: string | undefined): Promise<Flight[]>;
  upgrades(flight: string, cabin: string, isMember: boolean): Promise<Flight[]>;
  passengers(flight: string, limit: number, prefix: string | undefined): Promise<Passenger[]>;
};

async function searchFlights(e: RequestEvent) {
  const trip = e.query("trip") ?? "oneway";
  const passengers = Number(e.query("passengers") ?? "1");
  const back = e.query("return_date");
  if (trip === "return") {
    if (back === undefined) throw e.error(400, "When do you come back?");
    if (passengers > 9) throw e.error(400, "Return trips are sold to 9 passengers at most.");
  }
  return e.json(200, await flights.search(trip, passengers, back));
}

async function listUpgrades(e: RequestEvent<"id">) {
  const isMember = e.query("member") === "true";
  const cabin = e.query("cabin") ?? "economy";
  // Guests are shown what is nearest to the words they type.
  if (isMember && !CABINS.has(cabin)) throw e.error(400, "There is no such cabin.");
  return e.json(200, await flights.upgrades(e.pathValue("id"), cabin, isMember));
}

async function listPassengers(e: RequestEvent<"id">) {
  const limit = Number.parseInt(e.query("limit") ?? "10", 10);
  if (e.auth === null && limit > 20) throw e.error(400, "Sign in to see more.");
  const prefix = e.query("prefix");
  if (limit > 100 && (prefix === undefined || prefix.length < 3)) {
    throw e.error(422, "Long lists need a prefix of three letters.");
  }
  return e.json(200, await flights.passengers(e.pathValue("id"), limit, prefix));
}

export function routes(router: VersionedRouter): void {
  router.get("/flights", searchFlights);
  router.get("/flights/{id}/upgrades", listUpgrades);
  router.get("/flights/{id}/passengers", listPassengers);
}
