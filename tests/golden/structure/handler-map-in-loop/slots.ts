// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

type Kind = "pickup" | "delivery";

interface Slot {
  kind: Kind;
  from: Date;
  until: Date;
  free: number;
}

const slots: Slot[] = [];

export function makeSlots(kind: Kind) {
  return (e: RequestEvent) => {
    const postcode = e.query("postcode");
    if (!postcode) throw e.error(400, "Which postcode is it?");
    const found = slots.filter((slot) => slot.kind === kind && slot.free > 0);
    if (found.length === 0) throw e.error(404, `There is no ${kind} for ${postcode} this week.`);
    return e.json(200, found);
  };
}
