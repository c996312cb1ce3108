import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { abandonRequests } from "../observation/peer.ts";

/** The open connections of a server. */
export class Connections {
  /** Connections that can carry requests. */
  readonly open = new Set<Socket>();
  /** Connections whose TLS handshake is not complete, by the address of the client. */
  private readonly handshakes = new Map<string, Socket>();

  constructor(server: Server, isSecure: boolean) {
    server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => this.add(socket));
    if (!isSecure) return;
    server.prependListener("connection", (socket: Socket) => this.addHandshake(socket));
  }

  /** Closes connections that cannot carry requests yet. */
  endHandshakes(): void {
    for (const socket of this.handshakes.values()) socket.destroy();
    this.handshakes.clear();
  }

  destroy(): void {
    this.endHandshakes();
    for (const socket of this.open) socket.destroy();
  }

  private addHandshake(socket: Socket): void {
    const address = addressOf(socket);
    this.handshakes.set(address, socket);
    socket.once("close", () => {
      if (this.handshakes.get(address) === socket) this.handshakes.delete(address);
    });
  }

  private add(socket: Socket): void {
    this.handshakes.delete(addressOf(socket));
    this.open.add(socket);
    socket.once("close", () => {
      this.open.delete(socket);
      abandonRequests(socket);
    });
  }
}

/** Connections to another server that have carried a request. */
export class HostedConnections {
  readonly open = new Set<Socket>();

  /**
   * Adds a connection, if it is new. The application may have waited with a request until its client disconnected.
   * Adapters for tests and serverless platforms have objects that only look like a connection.
   */
  add(socket: Socket): void {
    if (this.open.has(socket) || !(socket instanceof Duplex) || socket.closed) return;
    this.open.add(socket);
    socket.once("close", () => {
      this.open.delete(socket);
      abandonRequests(socket);
    });
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
