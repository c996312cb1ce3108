import type { FinishedRequest } from "../../../http/index.ts";
import type { LimitOptions, RouteLimits } from "./traffic/route-limits.ts";

/** Shorter requests are not examined, because this is on the path of every request. */
const streamMs = 1_000;
const noLimit = { value: Number.POSITIVE_INFINITY, isFixed: true };

/** Routes that send event streams. These last as long as the client wants, so they have no limit of duration. */
export class StreamRoutes {
  private readonly names = new Set<string>();

  note(request: FinishedRequest): void {
    if (request.durationMs > streamMs) this.examine(request);
  }

  private examine({ method, route, contentType }: FinishedRequest): void {
    if (route && contentType?.startsWith("text/event-stream"))
      this.names.add(`${method} ${route.pattern.text}`);
  }

  limitsOf(limitsOf: RouteLimits): RouteLimits {
    return (route) =>
      route !== undefined && this.names.has(route) ? { ...limitsOf(route), p95Ms: noLimit } : limitsOf(route);
  }

  /** The same as options, for the history. */
  addTo(limits: LimitOptions): LimitOptions {
    return { ...limits, routes: [...limits.routes, ...[...this.names].map((route) => `${route} p95=off`)] };
  }
}
