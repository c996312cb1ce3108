// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Receipt {
  id: string;
  shop: string;
  total: number;
  issuedAt: Date;
}

interface ReceiptRow {
  shop: string;
  total: number;
}

declare const receipts: {
  find(id: string): Promise<Receipt | undefined>;
  addAll(rows: ReceiptRow[]): Promise<{ added: number }>;
};
declare function renderPage(receipt: Receipt, language: string | undefined): string;
declare function renderText(receipt: Receipt): string;

function accepts(e: RequestEvent, type: string): boolean {
  const accept = e.header("accept");
  return accept === undefined || accept.includes("*/*") || accept.includes(type);
}

async function getReceipt(e: RequestEvent<"id">) {
  const receipt = await receipts.find(e.pathValue("id"));
  if (!receipt) throw e.error(404, "There is no such receipt.");
  if (accepts(e, "application/json")) return e.json(200, receipt);
  if (accepts(e, "text/html")) return e.html(200, renderPage(receipt, e.header("accept-language")));
  if (accepts(e, "text/plain")) return e.text(200, renderText(receipt));
  throw e.error(406, "A receipt is sent as JSON, as a page or as plain text.");
}

async function importReceipts(e: RequestEvent) {
  const type = e.header("content-type") ?? "";
  if (!type.startsWith("application/json")) throw e.error(415, "Send JSON, please.");
  const rows = await e.bindBody<ReceiptRow[]>();
  return e.json(200, await receipts.addAll(rows));
}

export function routes(router: VersionedRouter): void {
  router.get("/receipts/{id}", getReceipt);
  router.post("/receipts/import", importReceipts);
}
