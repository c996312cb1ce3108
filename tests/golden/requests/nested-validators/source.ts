// API_SOURCE
import * as v from "valibot";
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { parseBody } from "./validation.ts";

const Address = z.object({
  street: z.string().min(1).max(120),
  city: z.string().min(1).max(80),
  country: z.string().regex(/^[A-Z]{2}$/),
});

const Line = z.object({
  sku: z.string().regex(/^[A-Z0-9-]{4,20}$/),
  quantity: z.number().int().min(1).max(999),
  note: z.string().max(200).optional(),
});

const NewOrder = z.object({
  customer: z.string(),
  reference: z.string().max(40).nullable(),
  lines: z.array(Line).min(1).max(50),
  shipTo: Address,
  billTo: Address.optional(),
  priority: z.enum(["normal", "express"]).default("normal"),
});

const Refund = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("full") }),
  z.object({ kind: z.literal("partial"), amount: z.number().positive() }),
]);

const NewEvent = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  venue: v.optional(v.object({ name: v.string(), seats: v.number() })),
  slots: v.pipe(
    v.array(v.object({ starts: v.string(), seats: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
    v.minLength(1),
  ),
});

declare const orders: {
  place(order: z.infer<typeof NewOrder>): Promise<{ id: string }>;
  move(id: string, address: z.infer<typeof Address>): Promise<boolean>;
  refund(id: string, refund: z.infer<typeof Refund>): Promise<{ refunded: number }>;
};
declare const events: { plan(event: v.InferOutput<typeof NewEvent>): Promise<{ id: string }> };

async function placeOrder(e: RequestEvent) {
  const order = await parseBody(e, NewOrder);
  return e.json(201, await orders.place(order));
}

async function changeAddress(e: RequestEvent<"id">) {
  const address = await parseBody(e, Address);
  if (!(await orders.move(e.pathValue("id"), address))) throw e.error(409, "The order is on its way.");
  return e.noContent();
}

async function refundOrder(e: RequestEvent<"id">) {
  const refund = Refund.parse(await e.bindBody());
  return e.json(200, await orders.refund(e.pathValue("id"), refund));
}

async function planEvent(e: RequestEvent) {
  const event = await e.bindBody(NewEvent);
  return e.json(201, await events.plan(event));
}

export function routes(router: VersionedRouter): void {
  router.post("/orders", placeOrder);
  router.put("/orders/{id}/address", changeAddress);
  router.post("/orders/{id}/refunds", refundOrder);
  router.post("/events", planEvent);
}
