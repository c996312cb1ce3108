import { ApiError } from "../../../../src/index.ts";

export interface StockLevel {
  sku: string;
  quantity: number;
  version: number;
}

export class UnknownWarehouse extends ApiError {
  constructor(id: string) {
    super(404, `There is no warehouse ${id}.`);
  }
}

export class StoreBusy extends ApiError {
  constructor() {
    super(503, "The store is busy.", { headers: { "Retry-After": "1" } });
  }
}

export class VersionConflict extends Error {}

const warehouses = new Map<string, Map<string, StockLevel>>();
let isLocked = false;

export function lock(value: boolean): void {
  isLocked = value;
}

export async function readStock(id: string): Promise<StockLevel[]> {
  if (isLocked) throw new StoreBusy();
  const levels = warehouses.get(id);
  if (!levels) throw new UnknownWarehouse(id);
  return [...levels.values()];
}

export async function changeStock(
  id: string,
  sku: string,
  change: (current: number) => number,
): Promise<StockLevel> {
  const levels = warehouses.get(id);
  if (!levels) throw new UnknownWarehouse(id);
  const before = levels.get(sku);
  const after: StockLevel = {
    sku,
    quantity: change(before?.quantity ?? 0),
    version: (before?.version ?? 0) + 1,
  };
  await Promise.resolve();
  if (levels.get(sku)?.version !== before?.version) throw new VersionConflict();
  levels.set(sku, after);
  return after;
}
