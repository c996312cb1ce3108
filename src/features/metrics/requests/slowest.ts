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
}

/**
 * Size of each list. Merged lists are exact up to this length, because a request missing in a part cannot be among the
 * slowest of the whole.
 */
export const slowestKept = 10;

/** The slowest requests. Lists of several periods or instances can be merged. */
export class Slowest {
  private entries: SlowRequest[] = [];
  /** Duration that a request must exceed to be listed. */
  private least = 0;

  /** Called for every request, before the entry is created. */
  wants(durationMs: number): boolean {
    return durationMs > this.least;
  }

  add(request: SlowRequest): void {
    if (!this.wants(request.durationMs)) return;
    const place = this.entries.findIndex(({ durationMs }) => durationMs < request.durationMs);
    this.entries.splice(place === -1 ? this.entries.length : place, 0, request);
    if (this.entries.length > slowestKept) this.entries.pop();
    if (this.entries.length === slowestKept) this.least = this.entries.at(-1)!.durationMs;
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
