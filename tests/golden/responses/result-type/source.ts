// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Result<T, F> = { ok: true; value: T } | { ok: false; failure: F };

interface Invoice {
  id: string;
  total: number;
}

declare function issue(): Promise<Result<Invoice, "limit" | "closed">>;

async function issueInvoice(e: RequestEvent) {
  const result = await issue();
  if (!result.ok) return e.json(409, { failure: result.failure });
  return e.json(201, result.value);
}

export function routes(router: VersionedRouter): void {
  router.post("/invoices", issueInvoice);
}
