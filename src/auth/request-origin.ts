import type { RequestEvent } from "../http/index.ts";
import type { AccessOrigin } from "./access-event.ts";

/** The origin of a request, for the access log and the list of sessions. */
export function originOf(e: RequestEvent<never>): AccessOrigin {
  return { address: e.ip, agent: e.header("user-agent"), traceId: e.traceId };
}
