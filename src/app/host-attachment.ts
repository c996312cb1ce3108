import { EventEmitter } from "node:events";
import { type Server, ServerResponse } from "node:http";
import {
  type AttachContext,
  type Attachment,
  type AttachOptions,
  attachTo,
  type HostRoute,
  type ServerUse,
} from "../adapters/index.ts";
import type { FeatureLogger } from "../feature/index.ts";
import {
  HostRoutes,
  hookServer,
  type Listener,
  type ObservedRequest,
  observedOf,
  toHttpServer,
} from "../http/index.ts";
import { StartError } from "../lib/errors/start-error.ts";

export interface HostAttachmentParts {
  readonly listener: Listener;
  readonly logger: Pick<FeatureLogger, "warn">;
  /** The application listens at this URL. */
  onListening(url: string): void;
  /** A server of the application has begun to close. */
  onClosing(server: Server): void;
  /** All servers of the application have closed. They emit their `close` event afterwards. */
  onClosed(): Promise<void>;
}

/** How long Annex waits for another server after the last one, if servers come and go as in tests. */
const stopDelayMs = 2_000;

/** The applications and servers that Annex is attached to. Only one Annex can observe a response. */
const claimed = new WeakSet<object>();

/** Annex on the servers of another application. */
export class HostAttachment {
  private readonly parts: HostAttachmentParts;
  private readonly routes: HostRoutes;
  private readonly servers = new Map<Server, () => void>();
  private readonly open = new Set<Server>();
  private readonly reported = new Set<string>();
  /** A server that listens already calls back before the adapter has returned. */
  private attachment: Attachment = { name: "", detach: () => {} };
  private hasPatternError = false;
  private cancelStop: (() => void) | undefined;
  private isEnding = false;
  private isStopExpected = false;
  private isDetached = false;
  private readonly claimed: object[] = [];

  constructor(target: unknown, options: AttachOptions, parts: HostAttachmentParts) {
    this.parts = parts;
    this.routes = new HostRoutes(parts.listener.routes.routes.length + 1);
    try {
      this.attachment = attachTo(target, this.createContext(), options);
    } catch (error) {
      this.restoreServers();
      throw error;
    }
  }

  /** The name of the framework. */
  get name(): string {
    return this.attachment.name;
  }

  /**
   * Closes the servers and their connections without the knowledge of the application, because the process is about to
   * end. Requests that arrive nevertheless are dropped.
   */
  closeServers(): void {
    this.isEnding = true;
    for (const server of this.servers.keys()) if (server.listening) server.close();
    this.parts.listener.closeHosted();
  }

  /** Servers that close from now on do so because the application stops, and the process may end with the last one. */
  expectStop(): void {
    this.isStopExpected = true;
  }

  detach(): void {
    this.cancelStop?.();
    if (this.isEnding) return;
    this.isDetached = true;
    this.attachment.detach();
    this.restoreServers();
  }

  private restoreServers(): void {
    for (const unhook of this.servers.values()) unhook();
    this.servers.clear();
    for (const target of this.claimed) claimed.delete(target);
  }

  private claim(target: object): void {
    if (claimed.has(target)) {
      throw new StartError(
        "ATTACH_UNSUPPORTED",
        "Another Annex is attached to this application. Use that one, or call its detach method first.",
      );
    }
    claimed.add(target);
    this.claimed.push(target);
  }

  private createContext(): AttachContext {
    const { listener } = this.parts;
    const findRoute = (observed: ObservedRequest) => this.routes.find(observed, this.patternOf(observed));
    return {
      claim: (target) => this.claim(target),
      canTake: ({ socket }, response) =>
        !this.isDetached && response instanceof ServerResponse && socket instanceof EventEmitter,
      take: (request, response) => {
        if (this.isEnding) {
          request.socket.destroy();
          return undefined;
        }
        const observed = listener.take(request, response);
        if (observed !== undefined) observed.findRoute ??= findRoute;
        return observed;
      },
      observedOf,
      useServer: (server, use) => {
        if (server === undefined || this.isDetached || this.servers.has(server)) return;
        this.hook(server, use);
      },
      noteRoutes: (routes) => this.warnOfConflicts(routes),
    };
  }

  /** Runs while the application ends its response, so it must not fail. */
  private patternOf(observed: ObservedRequest): string | undefined {
    try {
      return this.attachment.patternOf?.(observed);
    } catch (error) {
      if (!this.hasPatternError) this.parts.logger.warn("Failed to find the route of a request", { error });
      this.hasPatternError = true;
      return undefined;
    }
  }

  private hook(given: Server, { onRequest, role = "main", isOpened = () => true }: ServerUse = {}): void {
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
        this.readRoutes();
        const url = urlOf(server);
        if (url !== undefined) this.parts.onListening(url);
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
    this.servers.set(server, unhook);
  }

  /** Most applications have all routes when they listen. */
  private readRoutes(): void {
    try {
      this.attachment.readRoutes?.();
    } catch (error) {
      this.parts.logger.warn("Failed to read the routes of the application", { error });
    }
  }

  private forget(server: Server): void {
    this.servers.get(server)?.();
    this.servers.delete(server);
  }

  /** The timer keeps the process running until then, so that the last records are written. */
  private stopLater(): void {
    const timer = setTimeout(() => void this.parts.onClosed(), stopDelayMs);
    this.cancelStop = () => clearTimeout(timer);
  }

  /** The paths of Annex come first, so these routes are never reached. */
  private warnOfConflicts(routes: Iterable<HostRoute>): void {
    const { listener, logger } = this.parts;
    for (const { method = "GET", pattern } of routes) {
      // Frameworks add one for each GET.
      if (method === "HEAD") continue;
      const name = `${method} ${pattern}`;
      const isHidden = !pattern.includes("{") && listener.routes.matchOwn(method, pattern) !== undefined;
      const prefix = listener.routes.findReserved(pattern);
      if ((!isHidden && prefix === undefined) || this.reported.has(name)) continue;
      this.reported.add(name);
      logger.warn(
        `The route ${name} of the application cannot be reached: Annex serves ${prefix ?? pattern}. To move the paths of Annex, set the option "basePath".`,
        { route: name },
      );
    }
  }
}

function urlOf(server: Server): string | undefined {
  const address = server.address();
  if (address === null || typeof address === "string") return undefined;
  const scheme = "setSecureContext" in server ? "https" : "http";
  return `${scheme}://${displayHost(address.address)}:${address.port}`;
}

/** The host in a URL that a person can open. */
export function displayHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
