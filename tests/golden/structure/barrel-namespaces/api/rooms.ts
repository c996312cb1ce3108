// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import * as store from "./store.ts";

function floorOf(e: RequestEvent): number | undefined {
  const text = e.query("floor");
  if (text === undefined) return undefined;
  const floor = Number(text);
  if (!Number.isInteger(floor)) throw e.error(400, "A floor is a whole number.");
  return floor;
}

export function listRooms(e: RequestEvent) {
  const floor = floorOf(e);
  const projector = e.query("projector") === "true";
  const rooms = store.allRooms().filter((room) => {
    if (floor !== undefined && room.floor !== floor) return false;
    return !projector || room.equipment.includes("projector");
  });
  return e.json(200, { rooms, count: rooms.length });
}

export function getRoom(e: RequestEvent<"id">) {
  return e.json(200, store.roomById(e.pathValue("id")));
}
