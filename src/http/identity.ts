import type { RequestEvent } from "./event.ts";

/** Who sent a request. An application's own identities may carry anything else that it wants to find on `e.auth`. */
export interface Identity {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** Finds out who sent a request; asked before the first middleware runs. `null` is nobody known. */
export type Identify = (e: RequestEvent) => Identity | null | Promise<Identity | null>;
