import type { RequestEvent } from "../../../../src/index.ts";

export function raw(e: RequestEvent<never>, name: string): string | undefined {
  return e.query(name);
}
