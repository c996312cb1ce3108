// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { maybeStaff, requireRole } from "./roles.ts";
import { nextShiftId, type Shift, shifts } from "./shifts.ts";

interface NewShift {
  day: string;
  hours: number;
  notes?: string;
}

/** List the shifts of a week. */
function listShifts(e: RequestEvent) {
  const week = Number.parseInt(e.query("week") ?? "1", 10);
  return e.json(
    200,
    [...shifts.values()].filter((shift) => shift.week === week).map(({ id, day }) => ({ id, day })),
  );
}

/** Return one shift. Its notes are for members of the staff. */
async function getShift(e: RequestEvent<"id">) {
  const shift = shifts.get(e.pathValue("id"));
  if (!shift) throw e.error(404, "There is no such shift.");
  const staff = await maybeStaff(e);
  return e.json(200, { id: shift.id, day: shift.day, notes: staff ? shift.notes : null });
}

/** Plan a shift. */
async function createShift(e: RequestEvent) {
  const { day, hours, notes } = await e.bindBody<NewShift>();
  const shift: Shift = { id: nextShiftId(), week: 1, day, hours, notes: notes ?? null };
  shifts.set(shift.id, shift);
  return e.json(201, shift);
}

/** Delete a shift. */
function deleteShift(e: RequestEvent<"id">) {
  if (!shifts.delete(e.pathValue("id"))) throw e.error(404, "There is no such shift.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/shifts", listShifts);
  router.get("/shifts/{id}", getShift);
  router.post("/shifts", requireRole("planner")(createShift));
  router.delete("/shifts/{id}", requireRole("admin")(deleteShift));
}
