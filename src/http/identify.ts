import type { RequestEvent } from "./event.ts";
import type { Identity } from "./identity.ts";

/** Finds out who sent a request; asked before the first middleware runs. `null` is nobody known. */
export type Identify = (e: RequestEvent) => Identity | null | Promise<Identity | null>;
