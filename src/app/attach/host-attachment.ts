import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { type AttachContext, type Attachment, type AttachOptions, attachTo } from "../../adapters/index.ts";
import type { FeatureLogger } from "../../feature/index.ts";
import { HostRoutes, type Listener, type ObservedRequest, observedOf } from "../../http/index.ts";
import { StartError } from "../../lib/errors/start-error.ts";
import { http } from "../../lib/node/http.ts";
import { HostServers } from "./host-servers.ts";
import { RouteConflicts } from "./route-conflicts.ts";

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

/** The applications and servers that Annex is attached to. Only one Annex can observe a response. */
const claimed = new WeakSet<object>();

/** Annex on another application: its adapter, its servers and its routes. */
export class HostAttachment {
  private readonly parts: HostAttachmentParts;
  private readonly servers: HostServers;
  private readonly routes: HostRoutes;
  private readonly conflicts: RouteConflicts;
  /** A server that listens already calls back before the adapter has returned. */
  private attachment: Attachment = { name: "", detach: () => {} };
  private hasPatternError = false;
  private isDetached = false;
  private readonly claimed: object[] = [];

  constructor(target: unknown, options: AttachOptions, parts: HostAttachmentParts) {
    this.parts = parts;
    const { listener, logger } = parts;
    this.routes = new HostRoutes(listener.routes.routes.length + 1);
    this.conflicts = new RouteConflicts(listener.routes, logger);
    this.servers = new HostServers({
      listener,
      onListening: (url) => {
        this.readRoutes();
        if (url !== undefined) parts.onListening(url);
      },
      onClosing: (server) => parts.onClosing(server),
      onClosed: () => parts.onClosed(),
    });
    try {
      this.attachment = attachTo(target, this.createContext(), options);
    } catch (error) {
      this.restore();
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
    this.servers.end();
  }

  /** Servers that close from now on do so because the application stops, and the process may end with the last one. */
  expectStop(): void {
    this.servers.expectStop();
  }

  detach(): void {
    this.servers.cancelDelayedStop();
    if (this.servers.isEnding) return;
    this.isDetached = true;
    this.attachment.detach();
    this.restore();
  }

  private restore(): void {
    this.servers.restore();
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
        !this.isDetached && response instanceof http.ServerResponse && socket instanceof EventEmitter,
      take: (request, response) => {
        if (this.servers.isEnding) {
          request.socket.destroy();
          return undefined;
        }
        const observed = listener.take(request, response);
        if (observed !== undefined) observed.findRoute ??= findRoute;
        return observed;
      },
      observedOf,
      useServer: (server, use) => {
        if (server !== undefined && !this.isDetached) this.servers.use(server, use);
      },
      noteRoutes: (routes) => this.conflicts.check(routes),
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

  /** Most applications have all routes when they listen. */
  private readRoutes(): void {
    try {
      this.attachment.readRoutes?.();
    } catch (error) {
      this.parts.logger.warn("Failed to read the routes of the application", { error });
    }
  }
}
