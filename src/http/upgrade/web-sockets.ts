import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { HANDSHAKE_INVALID, SERVER_STOPPING } from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import type { OpenStreams } from "../streams/open-streams.ts";
import type { Shutdown } from "../streams/shutdown.ts";
import { UnreadData } from "../streams/unread-data.ts";
import { closeCodes, type PendingUpgrade } from "./accept.ts";

/** The part of the package `ws` that is used. It is loaded only by applications with WebSockets. */
export type WebSocketLibrary = Pick<typeof import("ws"), "WebSocketServer">;

export interface WebSocketsParts {
  readonly library: WebSocketLibrary;
  readonly clock: AlarmClock;
  readonly shutdown: Shutdown;
  readonly openStreams: OpenStreams;
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

/** How long a client that reads too slowly has to read the rest. */
const slowMs = 5_000;

interface OpenSocket {
  /** The content of the last ping, until the client has responded to it. */
  ping: Buffer | undefined;
}

/** The open WebSockets of a listener. */
export class WebSockets {
  private readonly parts: WebSocketsParts;
  private readonly servers = new Map<number, WebSocketServer>();
  private readonly open = new Map<WebSocket, OpenSocket>();
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
        this.parts.openStreams.admit("webSockets", handshake.response);
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
    const state: OpenSocket = { ping: undefined };
    response.detachSocket(response.req.socket);
    response.observed.switchProtocols();
    this.streams.add(stream);
    this.open.set(socket, state);
    this.parts.shutdown.addStream(response, {
      stop: () => socket.close(closeCodes.goingAway, "The server is shutting down"),
      end: () => socket.terminate(),
      revoke: () => this.dismiss(socket, closeCodes.policy, "The session has ended", revokedMs),
    });
    limitUnread(socket, this.parts.openStreams.unreadBytes, () => {
      this.parts.openStreams.slow.webSockets++;
      this.dismiss(socket, closeCodes.tryAgainLater, "The client reads too slowly", slowMs);
    });
    // The library closes the connection after an error, which is caused by the peer.
    socket.on("error", () => {});
    // Other pongs say nothing about what the client has read.
    socket.on("pong", (content: Buffer) => {
      if (state.ping?.equals(content)) state.ping = undefined;
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

  /** Closes a WebSocket whose client may ignore it and go on. */
  private dismiss(socket: WebSocket, code: number, reason: string, afterMs: number): void {
    socket.close(code, reason);
    this.parts.clock.after(afterMs, () => socket.terminate());
  }

  private beat(): () => void {
    return this.parts.clock.after(heartbeatMs, () => {
      for (const [socket, state] of this.open) {
        if (state.ping !== undefined) {
          socket.terminate();
          continue;
        }
        // Random, so that a client cannot respond without reading it.
        state.ping = randomBytes(8);
        if (socket.readyState === socket.OPEN) socket.ping(state.ping);
      }
      this.stopHeartbeat = this.open.size > 0 ? this.beat() : undefined;
    });
  }

  private endHeartbeat(): void {
    this.stopHeartbeat?.();
    this.stopHeartbeat = undefined;
  }
}

/** Calls back if the application sends a message although more than `maxBytes` wait. The message is not sent then. */
function limitUnread(socket: WebSocket, maxBytes: number, onExceeded: () => void): void {
  const unread = new UnreadData(maxBytes, () => socket.bufferedAmount);
  const send = socket.send.bind(socket) as (...args: unknown[]) => void;
  socket.send = (...args: unknown[]) => {
    const callback = typeof args.at(-1) === "function" ? (args.pop() as (error?: Error) => void) : undefined;
    // A closed WebSocket calls back with an error.
    if (socket.readyState === socket.OPEN && unread.isOver()) onExceeded();
    const onWritten = unread.add();
    send(...args, (error?: Error) => {
      onWritten();
      callback?.(error);
    });
  };
}

/** The headers that middleware has set, and the trace ID. */
function headerLines(response: ObservedResponse): string[] {
  const lines = [`X-Trace-ID: ${response.observed.traceId}`];
  for (const [name, value] of Object.entries(response.getHeaders())) {
    for (const each of [value].flat()) if (each !== undefined) lines.push(`${name}: ${each}`);
  }
  return lines;
}
