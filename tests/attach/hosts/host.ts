import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An application of a framework, with the same routes in each. */
export interface Host {
  /** What Annex is attached to. */
  readonly target: object;
  /** Starts to listen, and returns the server. */
  listen(): Promise<Server>;
  close(): Promise<void>;
  /** The server, if the framework does not create it. */
  readonly server?: Server;
}

/** A framework in one version. */
export interface HostKind {
  readonly name: string;
  /** The name that Annex shows. */
  readonly framework: string;
  create(slow: SlowRequests): Promise<Host> | Host;
  /** Whether errors that nobody handled are known with their cause, without a line in the application. */
  readonly knowsErrors: boolean;
  /** Whether the patterns of routes are known. */
  readonly knowsRoutes: boolean;
}

/** Requests to `/slow`, which respond only when a test says so. */
export class SlowRequests {
  private readonly waiting: (() => void)[] = [];
  arrived = 0;
  /** Runs in the handler. */
  onRequest: () => void = () => {};

  /** For the handler of `/slow`. */
  wait(): Promise<void> {
    this.arrived++;
    this.onRequest();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

export async function listening(server: Server): Promise<Server> {
  if (!server.listening) await once(server, "listening");
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export function* chunks(): Generator<string> {
  yield "one,";
  yield "two,";
  yield "three";
}
