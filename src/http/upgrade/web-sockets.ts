import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { HANDSHAKE_INVALID, SERVER_STOPPING } from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import type { Shutdown } from "../streams/shutdown.ts";
import { closeCodes, type PendingUpgrade } from "./accept.ts";

/** The part of the package `ws` that is used. It is loaded only by applications with WebSockets. */
export type WebSocketLibrary = Pick<typeof import("ws"), "WebSocketServer">;

export interface WebSocketsParts {
  readonly library: WebSocketLibrary;
  readonly clock: AlarmClock;
  readonly shutdown: Shutdown;
  /** Maximum size of a message, unless the route sets its own. */
  readonly maxMessageBytes: number;
}

/** A request for a WebSocket, with the bytes that followed it. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly response: ObservedResponse;
  readonly stream: Duplex;
  readonly head: Buffer;
}

/** Peers that do not respond to a ping until the next one are disconnected. */
const heartbeatMs = 30_000;

/** How long a client has to close its side after its session has ended. */
const revokedMs = 500;

/** The open WebSockets of a listener. */
export class WebSockets {
  private readonly parts: WebSocketsParts;
  private readonly servers = new Map<number, WebSocketServer>();
  private readonly open = new Map<WebSocket, { isAlive: boolean }>();
  private readonly streams = new WeakSet<Duplex>();
  private stopHeartbeat: (() => void) | undefined;

  constructor(parts: WebSocketsParts) {
    this.parts = parts;
  }

  /** Whether a connection has become a WebSocket. */
  has(stream: Duplex): boolean {
    return this.streams.has(stream);
  }

  /** Prepares a handshake, which the last function of the route completes. */
  prepare(handshake: Handshake): PendingUpgrade {
    return {
      accept: ({ maxMessageBytes = this.parts.maxMessageBytes }) => {
        const socket = this.shake(handshake, this.serverFor(maxMessageBytes));
        this.keep(handshake, socket);
        return socket;
      },
    };
  }

  private shake({ request, response, stream, head }: Handshake, server: WebSocketServer): WebSocket {
    if (response.observed.observer.draining) throw SERVER_STOPPING();
    let accepted: WebSocket | undefined;
    let problem = "the connection is closed";
    const refuse = ({ message }: Error) => {
      problem = message;
    };
    const addHeaders = (headers: string[]) => headers.push(...headerLines(response));
    // The library calls back before `handleUpgrade` returns.
    server.on("headers", addHeaders).on("wsClientError", refuse);
    try {
      server.handleUpgrade(request, stream, head, (socket) => {
        accepted = socket;
      });
    } finally {
      server.off("headers", addHeaders).off("wsClientError", refuse);
    }
    if (accepted === undefined) {
      const headers = { "Sec-WebSocket-Version": "13" };
      throw HANDSHAKE_INVALID.with({ headers }, problem);
    }
    return accepted;
  }

  private serverFor(maxPayload: number): WebSocketServer {
    const known = this.servers.get(maxPayload);
    if (known !== undefined) return known;
    const { WebSocketServer } = this.parts.library;
    const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload });
    this.servers.set(maxPayload, server);
    return server;
  }

  private keep({ response, stream }: Handshake, socket: WebSocket): void {
    const state = { isAlive: true };
    response.detachSocket(response.req.socket);
    response.observed.switchProtocols();
    this.streams.add(stream);
    this.open.set(socket, state);
    this.parts.shutdown.addStream(response, {
      stop: () => socket.close(closeCodes.goingAway, "The server is shutting down"),
      end: () => socket.terminate(),
      revoke: () => {
        socket.close(closeCodes.policy, "The session has ended");
        // The client could ignore it and go on.
        this.parts.clock.after(revokedMs, () => socket.terminate());
      },
    });
    // The library closes the connection after an error, which is caused by the peer.
    socket.on("error", () => {});
    socket.on("pong", () => {
      state.isAlive = true;
    });
    socket.on("close", () => {
      this.open.delete(socket);
      if (this.open.size === 0) this.endHeartbeat();
      // Aborts the signal of the request.
      response.destroyed = true;
      response.emit("close");
    });
    this.stopHeartbeat ??= this.beat();
  }

  private beat(): () => void {
    return this.parts.clock.after(heartbeatMs, () => {
      for (const [socket, state] of this.open) {
        if (!state.isAlive) {
          socket.terminate();
          continue;
        }
        state.isAlive = false;
        if (socket.readyState === socket.OPEN) socket.ping();
      }
      this.stopHeartbeat = this.open.size > 0 ? this.beat() : undefined;
    });
  }

  private endHeartbeat(): void {
    this.stopHeartbeat?.();
    this.stopHeartbeat = undefined;
  }
}

/** The headers that middleware has set, and the trace ID. */
function headerLines(response: ObservedResponse): string[] {
  const lines = [`X-Trace-ID: ${response.observed.traceId}`];
  for (const [name, value] of Object.entries(response.getHeaders())) {
    for (const each of [value].flat()) if (each !== undefined) lines.push(`${name}: ${each}`);
  }
  return lines;
}
