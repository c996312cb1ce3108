// API_SOURCE
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const InvoicePath = z.object({
  year: z.coerce.number().int().min(2000).describe("The year of the invoice."),
  id: z.uuid(),
});
const Country = v.object({ country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)) });
const Folder = type({ path: "string <= 200" });
const Order = z.object({ order: z.uuid(), id: z.string() });

declare const invoices: { find(path: z.infer<typeof InvoicePath>): Promise<{ total: number } | undefined> };
declare const rates: { of(country: string): Promise<{ percent: number }> };
declare const files: { list(path: string): Promise<string[]> };
declare const orders: { find(id: string): Promise<{ total: number }> };

/** Returns one invoice. */
async function getInvoice(e: RequestEvent<"year" | "id">) {
  const invoice = await invoices.find(await e.bindPath(InvoicePath));
  if (!invoice) throw e.error(404, `There is no invoice ${e.pathValue("id")}.`);
  return e.json(200, invoice);
}

async function getRate(e: RequestEvent<"country">) {
  const { country } = await e.bindPath(Country);
  return e.json(200, await rates.of(country));
}

async function listFiles(e: RequestEvent<"path">) {
  const { path } = await e.bindPath(Folder);
  return e.json(200, await files.list(path));
}

/** The route does not have the second name of the schema. */
async function getOrder(e: RequestEvent<"order">) {
  const { order } = await e.bindPath(Order);
  return e.json(200, await orders.find(order));
}

export function routes(router: VersionedRouter): void {
  router.get("/invoices/{year}/{id}", getInvoice);
  router.get("/rates/{country}", getRate);
  router.get("/files/{path...}", listFiles);
  router.get("/orders/{order}", getOrder);
}
