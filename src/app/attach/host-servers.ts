import type { Server } from "node:http";
import type { ServerUse } from "../../adapters/index.ts";
import { hookServer, type Listener, toHttpServer } from "../../http/index.ts";
import { urlOf } from "../display-host.ts";

export interface HostServersParts {
  readonly listener: Listener;
  /** A server listens. The URL is absent for a Unix domain socket. */
  onListening(url: string | undefined): void;
  /** A server has begun to close. */
  onClosing(server: Server): void;
  /** All servers have closed. They emit their `close` event afterwards. */
  onClosed(): Promise<void>;
}

/** How long Annex waits for another server after the last one, if servers come and go as in tests. */
const stopDelayMs = 2_000;

/** The servers of an application that Annex is attached to. Annex stops with them. */
export class HostServers {
  private readonly parts: HostServersParts;
  /** The functions that restore them. */
  private readonly hooked = new Map<Server, () => void>();
  private readonly open = new Set<Server>();
  private cancelStop: (() => void) | undefined;
  private isStopExpected = false;
  /** Whether the servers were closed because the process is about to end. */
  isEnding = false;

  constructor(parts: HostServersParts) {
    this.parts = parts;
  }

  use(given: Server, { onRequest, role = "main", isOpened = () => true }: ServerUse = {}): void {
    // Some adapters call this with every request.
    if (this.hooked.has(given)) return;
    const server = toHttpServer(given);
    if (server === undefined) return;
    const { listener } = this.parts;
    const unhook = hookServer(server, {
      ...(onRequest && { onRequest }),
      upgrades: listener.routes.hasUpgrades
        ? (request, stream, head) => listener.takeUpgrade(request, stream, head)
        : undefined,
      onListening: () => {
        if (role === "secondary" || this.open.has(server)) return;
        this.open.add(server);
        this.cancelStop?.();
        this.parts.onListening(urlOf(server));
      },
      onClosing: () => this.parts.onClosing(server),
      onClosed: async () => {
        // The application must not react to it.
        if (this.isEnding) return new Promise(() => {});
        // Others may be opened again.
        if (role === "seen") this.forget(server);
        const isLast = this.open.delete(server) && this.open.size === 0;
        const isStop = this.isStopExpected || (role === "main" && isOpened());
        if (isLast && isStop) await this.parts.onClosed();
        else if (isLast) this.stopLater();
      },
      onDiscarded: async () => {
        if (role === "main" && this.open.size === 0) await this.parts.onClosed();
      },
    });
    this.hooked.set(server, unhook);
  }

  /** Servers that close from now on do so because the application stops, and the process may end with the last one. */
  expectStop(): void {
    this.isStopExpected = true;
  }

  /** Closes the servers and their connections without the knowledge of the application. */
  end(): void {
    this.isEnding = true;
    for (const server of this.hooked.keys()) if (server.listening) server.close();
    this.parts.listener.closeHosted();
  }

  /** Annex stops, so it no longer waits for another server. */
  cancelDelayedStop(): void {
    this.cancelStop?.();
  }

  restore(): void {
    for (const unhook of this.hooked.values()) unhook();
    this.hooked.clear();
  }

  private forget(server: Server): void {
    this.hooked.get(server)?.();
    this.hooked.delete(server);
  }

  /** The timer keeps the process running until then, so that the last records are written. */
  private stopLater(): void {
    const timer = setTimeout(() => void this.parts.onClosed(), stopDelayMs);
    this.cancelStop = () => clearTimeout(timer);
  }
}
