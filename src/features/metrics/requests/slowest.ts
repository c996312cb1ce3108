/** A slow request. */
export interface SlowRequest {
  readonly time: number;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The route's pattern; empty if no route matched. */
  readonly route: string;
  readonly statusCode: number;
  readonly durationMs: number;
  /** Absent until requests of several instances are merged. */
  readonly instance?: string;
}

/**
 * Size of each list, in total and per route: one slow route must not displace all others. Merged lists are exact,
 * because a request missing in a part cannot be among the slowest of the whole.
 */
export const slowestKept = 10;
export const slowestOfRoute = 3;

/** The slowest requests. Lists of several periods or instances can be merged. */
export class Slowest {
  private entries: SlowRequest[] = [];
  /** Duration that a request must exceed to be listed. */
  private least = 0;

  /**
   * Whether a request would be listed. Called for every request, before the entry is created, so it compares with the
   * listed requests of the same route: an application with one busy route would create an entry per request otherwise.
   */
  wants(durationMs: number, method: string, route: string): boolean {
    if (durationMs <= this.least) return false;
    let slower = 0;
    for (const entry of this.entries) {
      if (entry.durationMs < durationMs) break;
      if (entry.route === route && entry.method === method) slower++;
    }
    return slower < slowestOfRoute;
  }

  add(request: SlowRequest): void {
    if (!this.wants(request.durationMs, request.method, request.route)) return;
    const place = this.entries.findIndex(({ durationMs }) => durationMs < request.durationMs);
    this.entries.splice(place === -1 ? this.entries.length : place, 0, request);
    this.limitRoute(request);
    if (this.entries.length > slowestKept) this.entries.pop();
    if (this.entries.length === slowestKept) this.least = this.entries.at(-1)!.durationMs;
  }

  private limitRoute({ method, route }: SlowRequest): void {
    const isSame = (each: SlowRequest) => each.route === route && each.method === method;
    if (this.entries.filter(isSame).length <= slowestOfRoute) return;
    this.entries.splice(this.entries.findLastIndex(isSame), 1);
  }

  merge(others: readonly SlowRequest[]): void {
    for (const request of others) this.add(request);
  }

  list(): readonly SlowRequest[] {
    return this.entries;
  }

  clear(): void {
    this.entries = [];
    this.least = 0;
  }
}
