// API_SOURCE
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { parseQuery } from "./query.ts";

const OrderQuery = z.object({
  status: z.enum(["open", "shipped", "cancelled"]).optional(),
  customer: z.string().min(1).max(40).optional(),
  sort: z.enum(["placed", "total"]).default("placed"),
  page: z.coerce.number().int().min(1).max(1000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});

const RevenueQuery = z.object({
  year: z.coerce.number().int().min(2015).max(2100),
  currency: z.enum(["EUR", "CHF"]),
  min_total: z.coerce.number().min(0).optional(),
});

interface Order {
  id: string;
  customer: string;
  total: number;
}

declare const orders: {
  search(query: z.infer<typeof OrderQuery>): Promise<Order[]>;
  revenue(query: z.infer<typeof RevenueQuery>): Promise<{ total: number }>;
  shipped(id: string): Promise<Date | null>;
};

async function listOrders(e: RequestEvent) {
  const query = parseQuery(e, OrderQuery);
  return e.json(200, await orders.search(query));
}

async function getRevenue(e: RequestEvent) {
  const { total } = await orders.revenue(parseQuery(e, RevenueQuery));
  return e.json(200, { total });
}

async function getShippingDay(e: RequestEvent<"id">) {
  return e.json(200, { shipped: await orders.shipped(e.pathValue("id")) });
}

export function routes(router: VersionedRouter): void {
  router.get("/orders", listOrders);
  router.get("/revenue", getRevenue);
  router.get("/orders/{id}/shipping", getShippingDay);
}
