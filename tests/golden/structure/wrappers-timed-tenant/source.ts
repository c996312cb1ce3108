// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { boats, type Move, type Tenant } from "./harbour.ts";
import { timed, withTenant } from "./wrappers.ts";

interface MoveRequest {
  berth: string;
  at?: string;
}

/** Move a boat to another berth. */
async function moveBoat(e: RequestEvent<"id">) {
  const boat = boats.get(e.pathValue("id"));
  if (!boat) throw e.error(404, "There is no such boat.");

  const { berth, at } = await e.bindBody<MoveRequest>();
  for (const other of boats.values()) {
    if (other !== boat && other.berth === berth) throw e.error(409, `${other.name} lies at ${berth}.`);
  }
  const move: Move = { boatId: boat.id, from: boat.berth, to: berth, at: at ? new Date(at) : new Date() };
  boat.berth = berth;
  return e.json(201, move);
}

/** Return a boat of the tenant. */
function getBoat(e: RequestEvent, tenant: Tenant) {
  const boat = boats.get(e.pathValue("id"));
  if (!boat || boat.tenantId !== tenant.id) throw e.error(404, "There is no such boat.");
  return e.json(200, boat);
}

// API_DESC List the boats of the tenant.
const listBoats = withTenant((e, tenant) => {
  const minLength = Number(e.query("minLength") ?? "0");
  const own = [...boats.values()].filter((boat) => boat.tenantId === tenant.id && boat.length >= minLength);
  return e.json(200, { tenant: tenant.name, boats: own });
});

export function routes(router: VersionedRouter): void {
  router.post("/boats/{id}/moves", timed(moveBoat));
  router.get("/boats/{id}", timed(withTenant(getBoat)));
  router.get("/boats", listBoats);
}
