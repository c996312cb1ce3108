import { networkOf } from "../../lib/network.ts";
import { STREAMS_FULL, TOO_MANY_STREAMS } from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";

/** The kinds of streams whose number is limited. */
export type StreamKind = "eventStreams" | "webSockets";

export interface StreamLimits {
  /** Maximum number of event streams and WebSockets in all. */
  readonly openStreams: number;
  /** The same for one client address, or one /64 network of IPv6. */
  readonly openStreamsPerAddress: number;
  /** Maximum size of the data that waits for one client. */
  readonly unreadBytes: number;
}

type StreamCounts = Readonly<Record<StreamKind, number>>;

/** How many event streams and WebSockets are open, and how many were refused or closed since the start. */
export interface StreamNumbers {
  readonly open: StreamCounts;
  /** Closed because the client read too slowly. */
  readonly slow: StreamCounts;
  /** Refused because too many were open. */
  readonly refused: StreamCounts;
}

/** Counts the open event streams and WebSockets of a listener, and refuses those beyond the limits. */
export class OpenStreams implements StreamNumbers {
  readonly open = noStreams();
  readonly slow = noStreams();
  readonly refused = noStreams();
  readonly unreadBytes: number;
  private readonly limits: StreamLimits;
  private readonly byNetwork = new Map<string, number>();

  constructor(limits: StreamLimits) {
    this.limits = limits;
    this.unreadBytes = limits.unreadBytes;
  }

  /** Counts a stream until its response closes. Throws if there are too many. Call it before the response begins. */
  admit(kind: StreamKind, response: ObservedResponse): void {
    if (response.destroyed) return;
    const network = networkOf(response.observed.client.ip);
    const problem = this.findProblem(network);
    if (problem !== undefined) {
      this.refused[kind]++;
      throw problem();
    }
    this.change(kind, network, 1);
    response.once("close", () => this.change(kind, network, -1));
  }

  private findProblem(network: string): typeof STREAMS_FULL | undefined {
    const { openStreams, openStreamsPerAddress } = this.limits;
    if (this.countOf(network) >= openStreamsPerAddress) return TOO_MANY_STREAMS;
    return this.open.eventStreams + this.open.webSockets >= openStreams ? STREAMS_FULL : undefined;
  }

  private change(kind: StreamKind, network: string, by: 1 | -1): void {
    const count = this.countOf(network) + by;
    if (count === 0) this.byNetwork.delete(network);
    else this.byNetwork.set(network, count);
    this.open[kind] += by;
  }

  private countOf(network: string): number {
    return this.byNetwork.get(network) ?? 0;
  }
}

function noStreams(): Record<StreamKind, number> {
  return { eventStreams: 0, webSockets: 0 };
}
