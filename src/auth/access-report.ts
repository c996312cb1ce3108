import type { RequestEvent } from "../http/index.ts";
import type { AccessEvent, OnAccess } from "./access-event.ts";
import { originOf } from "./request-origin.ts";

/** Reports an event for the access log, with the address, agent and trace ID of the request that caused it. */
export type ReportAccess = (e: RequestEvent, event: Omit<AccessEvent, "origin">) => void;

export function createAccessReport(onAccess: OnAccess): ReportAccess {
  return (e, event) => onAccess({ ...event, origin: originOf(e) });
}
