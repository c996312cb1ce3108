import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { plainAddress } from "../client-address.ts";
import type { Client } from "./client.ts";
import type { FinishedRequest } from "./finished-request.ts";

/** A request without a complete response. */
export interface OpenRequest
  extends Pick<FinishedRequest, "traceId" | "method" | "path" | "route" | "startedAt"> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Ends the observation. */
  leave(): void;
  /** Ends the observation if the response is an event stream. */
  settleStream(): void;
}

/** The peer of a connection, with data that is shared between its requests. */
export class Peer {
  /** Stored because a closed socket has no address. */
  readonly address: string;
  client: Client | undefined = undefined;
  /** Whether the peer is a trusted proxy. Computed by the first request that needs it. */
  isTrusted: boolean | undefined = undefined;
  hasForwarded = false;
  /** Requests without a complete response, in order. With pipelining, there can be more than one. */
  readonly open: OpenRequest[] = [];

  constructor(socket: Socket) {
    this.address = plainAddress(socket.remoteAddress ?? "127.0.0.1");
  }
}

const peerOfSocket = Symbol("peer");
type KnownSocket = Duplex & { [peerOfSocket]?: Peer };

export function peerOf(socket: Socket): Peer {
  const known: Socket & KnownSocket = socket;
  known[peerOfSocket] ??= new Peer(socket);
  return known[peerOfSocket];
}

/** The requests of a connection without a complete response. */
export function openRequests(socket: Duplex): readonly OpenRequest[] {
  return (socket as KnownSocket)[peerOfSocket]?.open ?? [];
}

/**
 * Ends the requests of a closed connection. Before version 24, Node notifies only the first pending response. The
 * listeners of the others may be gone too, because the application has removed them.
 */
export function abandonRequests(socket: Socket): void {
  for (const open of [...openRequests(socket)]) {
    const { response } = open;
    if (response.socket === null && !response.destroyed && !response.writableFinished) {
      response.destroyed = true;
      response.emit("close");
    }
    open.leave();
  }
}
