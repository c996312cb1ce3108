// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { prisma } from "./prisma-client.ts";

async function listCustomers(e: RequestEvent) {
  const customers = await prisma.customer.findMany({ orderBy: { name: "asc" }, take: 100 });
  return e.json(200, customers);
}

async function listOrdersOfCustomer(e: RequestEvent<"id">) {
  const customerId = e.pathValue("id");
  const orders = await prisma.order.findMany({
    where: { customerId },
    orderBy: { placedAt: "desc" },
    select: {
      id: true,
      number: true,
      status: true,
      placedAt: true,
      customer: false,
      lines: { select: { sku: true, quantity: true } },
    },
  });
  const open = await prisma.order.count({ where: { customerId, status: "PENDING" } });
  return e.json(200, { orders, open });
}

async function getOrder(e: RequestEvent<"id">) {
  const order = await prisma.order.findUnique({
    where: { id: e.pathValue("id") },
    include: {
      customer: { select: { id: true, name: true } },
      lines: true,
      shipment: { select: { carrier: true, trackingNumber: true } },
    },
  });
  if (!order) throw e.error(404, "There is no such order.");
  const { customerId, ...rest } = order;
  return e.json(200, rest);
}

export function routes(router: VersionedRouter): void {
  router.get("/customers", listCustomers);
  router.get("/customers/{id}/orders", listOrdersOfCustomer);
  router.get("/orders/{id}", getOrder);
}
