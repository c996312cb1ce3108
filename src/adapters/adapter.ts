import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as NetServer } from "node:net";
import type { ObservedRequest, PassOn } from "../http/index.ts";

/** What Annex offers to the adapters. */
export interface AttachContext {
  /** Call it before anything is changed in the application or server. Throws if another Annex is attached to it. */
  claim(target: object): void;
  /** Whether a request can be taken. Others are left to the application: after `detach`, and those of HTTP/2 or tests. */
  canTake(request: IncomingMessage, response: ServerResponse): boolean;
  /** Observes a request. Absent if its path belongs to Annex, which then responds. */
  take(request: IncomingMessage, response: ServerResponse): ObservedRequest | undefined;
  /** What is known about the request of a response, if it was observed. */
  observedOf(response: ServerResponse): ObservedRequest | undefined;
  /** Follows a server. */
  useServer(server: Server | undefined, options?: ServerUse): void;
  /** Reports that the application has added routes, so that conflicts are found. */
  noteRoutes(routes: Iterable<HostRoute>): void;
}

export interface ServerUse {
  /** Gets the requests before the listeners of the server. Returns whether Annex responds. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse, next: PassOn) => boolean;
  /**
   * What the server is to the application. Annex stops with the main servers. It also stops with the last server that is
   * only known from its requests, after a delay, because tests create one for each request. Default "main".
   */
  readonly role?: "main" | "secondary" | "seen";
  /**
   * Whether the application has opened a main server. Tests open and close it themselves, as often as they need it, so
   * it is handled as one that is only seen. Default: yes.
   */
  isOpened?(): boolean;
}

/** A route of the application. */
export interface HostRoute {
  /** Absent if it is for all methods. */
  readonly method?: string | undefined;
  /** In the notation of Annex: `/users/{id}`. */
  readonly pattern: string;
}

/** Options of `app.attach`. */
export interface AttachOptions {
  /**
   * The server of an application that does not create it, such as Hono: one of node:http or node:https. With Express and
   * Koa, it is found with its first request if it is not given; WebSockets of Annex work from then on.
   */
  server?: NetServer;
}

/** Annex on one application. */
export interface Attachment {
  /** The name of the framework, for messages. */
  readonly name: string;
  /** The pattern of the route that handled a request. Absent if it is not known. */
  patternOf?(observed: ObservedRequest): string | undefined;
  /** Reports the routes of the application again, because it may have added some. Absent if it reports each itself. */
  readRoutes?(): void;
  /** Restores the application. */
  detach(): void;
}

/** Puts Annex on one kind of application. Returns undefined if the value is not one. */
export type Adapter = (
  target: unknown,
  context: AttachContext,
  options: AttachOptions,
) => Attachment | undefined;

/** Whether a value has functions of these names. */
export function hasFunctions<Name extends string>(
  value: unknown,
  ...names: Name[]
): value is Record<Name, (...args: never[]) => unknown> {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}

/** The server that received a request. Absent if a program created the request. */
export function serverOf({ socket }: IncomingMessage): Server | undefined {
  return (socket as unknown as { server?: Server } | undefined)?.server;
}
