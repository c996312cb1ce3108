import type { Server } from "node:http";
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

export interface HostAttachmentParts {
  readonly listener: Listener;
  readonly logger: Pick<FeatureLogger, "warn">;
  /** The application listens at this URL. Called once per address. */
  onListening(url: string): void;
  /** A server of the application has begun to close. */
  onClosing(): void;
  /** All servers of the application have closed. They emit their `close` event afterwards. */
  onClosed(): Promise<void>;
}

/** Annex on the servers of another application. */
export class HostAttachment {
  private readonly parts: HostAttachmentParts;
  private readonly routes: HostRoutes;
  private readonly servers = new Map<Server, () => void>();
  private readonly open = new Set<Server>();
  private readonly reported = new Set<string>();
  private readonly attachment: Attachment;
  private hasPatternError = false;

  constructor(target: unknown, options: AttachOptions, parts: HostAttachmentParts) {
    this.parts = parts;
    this.routes = new HostRoutes(parts.listener.routes.routes.length + 1);
    this.attachment = attachTo(target, this.createContext(), options);
  }

  /** The name of the framework. */
  get name(): string {
    return this.attachment.name;
  }

  detach(): void {
    this.attachment.detach();
    for (const unhook of this.servers.values()) unhook();
    this.servers.clear();
  }

  private createContext(): AttachContext {
    const { listener } = this.parts;
    const findRoute = (observed: ObservedRequest) => this.routes.find(observed, this.patternOf(observed));
    return {
      take(request, response) {
        const observed = listener.take(request, response);
        if (observed !== undefined) observed.findRoute ??= findRoute;
        return observed;
      },
      observedOf,
      useServer: (server, use) => {
        if (!this.servers.has(server)) this.hook(server, use);
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

  private hook(given: Server, { onRequest, isSecondary = false }: ServerUse = {}): void {
    const server = toHttpServer(given);
    if (server === undefined) return;
    const { listener } = this.parts;
    const unhook = hookServer(server, {
      ...(onRequest && { onRequest }),
      upgrades: listener.routes.hasUpgrades
        ? (request, stream, head) => listener.takeUpgrade(request, stream, head)
        : undefined,
      onListening: () => {
        if (isSecondary || this.open.has(server)) return;
        this.open.add(server);
        const url = urlOf(server);
        if (url !== undefined) this.parts.onListening(url);
      },
      onClosing: () => {
        if (!isSecondary && this.open.size <= 1) this.parts.onClosing();
      },
      onClosed: async () => {
        this.open.delete(server);
        if (!isSecondary && this.open.size === 0) await this.parts.onClosed();
      },
    });
    this.servers.set(server, unhook);
  }

  /** The paths of Annex come first, so these routes are never reached. */
  private warnOfConflicts(routes: Iterable<HostRoute>): void {
    const { listener, logger } = this.parts;
    for (const { method = "GET", pattern } of routes) {
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
