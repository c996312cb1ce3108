// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

class NotFound extends ApiError {
  constructor() {
    super(404, "There is none.");
  }
}

class Busy extends ApiError {
  constructor() {
    super(503, "Come back later.");
  }
}

declare const stock: Map<string, number>;

function take(id: string): number {
  const amount = stock.get(id);
  if (amount === undefined) throw new NotFound();
  if (amount === 0) throw new Busy();
  return amount;
}

function takeOne(e: RequestEvent<"id">) {
  try {
    return e.json(200, { amount: take(e.pathValue("id")) });
  } catch (error) {
    if (error instanceof NotFound) return e.json(200, { amount: 0 });
    throw error;
  }
}

export function routes(router: VersionedRouter): void {
  router.post("/stock/{id}", takeOne);
}
