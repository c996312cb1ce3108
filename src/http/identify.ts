import type { RequestEvent } from "./event.ts";
import type { Identity } from "./identity.ts";

/** Authenticates a request before the first middleware runs. Returns `null` if the request is not authenticated. */
export type Identify = (e: RequestEvent) => Identity | null | Promise<Identity | null>;
