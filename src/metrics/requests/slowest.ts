/** A request that took long. */
export interface SlowRequest {
  readonly time: number;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The route's pattern; empty where none matched. */
  readonly route: string;
  readonly statusCode: number;
  readonly durationMs: number;
}

/** A list of no more than this is right for any window, since what was left out of a part of it is not in it. */
export const slowestKept = 10;

/** The few that took longest. Lists of several stretches of time or instances make one. */
export class Slowest {
  private entries: SlowRequest[] = [];
  /** What one has to exceed to be listed. */
  private least = 0;

  /** Asked on every request, before anything is put together. */
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
