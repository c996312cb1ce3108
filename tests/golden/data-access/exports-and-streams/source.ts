// API_SOURCE
import { Readable } from "node:stream";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Order {
  id: string;
  customer: string;
  total: number;
  placedAt: Date;
}

declare function orders(): AsyncIterable<Order>;
declare function findOrder(id: string): Promise<Order | undefined>;
declare function renderPdf(order: Order): Promise<Uint8Array>;
declare function renderReceipt(order: Order): string;
declare function presignedUrl(id: string): Promise<string | null>;

function cell(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

async function* csvLines(): AsyncGenerator<string> {
  yield "id,customer,total,placed_at\n";
  for await (const order of orders()) {
    yield `${[order.id, cell(order.customer), order.total.toFixed(2), order.placedAt.toISOString()].join(",")}\n`;
  }
}

function exportOrders(e: RequestEvent) {
  e.setHeader("Content-Disposition", 'attachment; filename="orders.csv"');
  return e.stream(200, "text/csv", Readable.from(csvLines()));
}

async function getOrderPdf(e: RequestEvent<"id">) {
  const order = await findOrder(e.pathValue("id"));
  if (!order) throw e.error(404, "There is no such order.");
  const pdf = await renderPdf(order);
  e.setHeader("Content-Disposition", `inline; filename="${order.id}.pdf"`);
  e.setHeader("Content-Length", pdf.byteLength);
  return e.bytes(200, "application/pdf", pdf);
}

async function getReceipt(e: RequestEvent<"id">) {
  const order = await findOrder(e.pathValue("id"));
  if (!order) throw e.error(404, "There is no such order.");
  switch (e.query("format")) {
    case "html":
      return e.html(200, renderReceipt(order));
    case "text":
      return e.text(200, `${order.customer}: ${order.total.toFixed(2)}`);
    default:
      return e.json(200, { id: order.id, total: order.total });
  }
}

async function downloadArchive(e: RequestEvent<"id">) {
  const url = await presignedUrl(e.pathValue("id"));
  if (url === null) throw e.error(404, "There is no archive of this order.");
  e.setHeader("Cache-Control", "no-store");
  return e.redirect(302, url);
}

export function routes(router: VersionedRouter): void {
  router.get("/orders.csv", exportOrders);
  router.get("/orders/{id}/pdf", getOrderPdf);
  router.get("/orders/{id}/receipt", getReceipt);
  router.get("/orders/{id}/archive", downloadArchive);
}
