// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function count(): Promise<number>;

async function getCount(e: RequestEvent): Promise<void> {
  const value = await count();
  if (value === 0) {
    e.noContent();
    return;
  }
  await e.json(200, { value });
}

const getAnswer = (e: RequestEvent) => void e.json(200, { answer: "yes" });

export function routes(router: VersionedRouter): void {
  router.get("/count", getCount);
  router.get("/answer", getAnswer);
}
