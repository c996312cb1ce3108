import { randomUUID } from "node:crypto";
import type { RequestEvent } from "../../../../src/index.ts";

export async function requestId(e: RequestEvent): Promise<void> {
  const id = e.header("X-Request-ID") ?? randomUUID();
  e.set("requestId", id);
  e.setHeader("X-Request-ID", id);
  await e.next();
}

export function requestIdOf(e: RequestEvent): string {
  return e.get<string>("requestId") ?? e.traceId;
}
