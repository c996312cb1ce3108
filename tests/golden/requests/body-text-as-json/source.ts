// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface RateImport {
  day: string;
  rates: { currency: string; rate: number }[];
}

interface ProductImport {
  supplier: string;
  products: { sku: string; stock: number; discontinued?: boolean }[];
}

interface RetryOptions {
  attempts: number;
  delaySeconds?: number;
}

declare const imports: {
  rates(data: RateImport, size: number): Promise<{ id: string }>;
  products(data: ProductImport): Promise<{ id: string }>;
  retry(id: string, options: RetryOptions): Promise<boolean>;
};

async function readJson<T>(e: RequestEvent): Promise<T> {
  const text = await e.readText();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw e.error(422, "The body is not JSON.");
  }
}

async function importRates(e: RequestEvent) {
  const text = await e.readText();
  const data = JSON.parse(text) as RateImport;
  return e.json(201, await imports.rates(data, text.length));
}

async function importProducts(e: RequestEvent) {
  e.limitBody(20_000_000);
  const data = await readJson<ProductImport>(e);
  if (data.products.length === 0) return e.noContent();
  return e.json(201, await imports.products(data));
}

async function retryImport(e: RequestEvent<"id">) {
  let options: RetryOptions = { attempts: 1 };
  const text = await e.readText();
  if (text !== "") {
    try {
      options = JSON.parse(text) as RetryOptions;
    } catch {
      throw e.error(400, "The options are not JSON.");
    }
  }
  if (!(await imports.retry(e.pathValue("id"), options))) throw e.error(404, "There is no such import.");
  return e.text(202, "The import runs again.");
}

export function routes(router: VersionedRouter): void {
  router.post("/imports/rates", importRates);
  router.post("/imports/products", importProducts);
  router.post("/imports/{id}/retry", retryImport);
}
