// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

declare const rows: { id: string; locked: boolean }[];
declare function inTransaction<T>(work: () => Promise<T>): Promise<T>;

function lockAll(e: RequestEvent) {
  rows.forEach((row) => {
    if (row.locked) throw e.error(423, "One is locked.");
  });
  return e.noContent();
}

async function transfer(e: RequestEvent) {
  await inTransaction(async () => {
    if (rows.length < 2) throw new ApiError(409, "There are too few.");
  });
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/locks", lockAll);
  router.post("/transfers", transfer);
}
