import type { RequestEvent } from "../../../../src/index.ts";

const boats = ["Ada", "Grace"];

export const countBoats = (e: RequestEvent) => e.json(200, { boats: boats.length });
