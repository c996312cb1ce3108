// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Waves.
export function wave(e: RequestEvent) {
  return e.noContent();
}
