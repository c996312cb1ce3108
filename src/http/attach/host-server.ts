import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { http } from "../../lib/node/http.ts";
import { isResponding, returnConnection } from "../upgrade/upgrades.ts";
import { setOwn } from "./own-property.ts";

/** What Annex does with the events of another server. */
export interface HostServerHandlers {
  /** Handles a request and returns true, or calls `next` to pass it to the listeners of the server. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse, next: PassOn) => boolean;
  /** Returns whether Annex handles an upgrade request. Absent if it handles none. */
  readonly upgrades: ((request: IncomingMessage, stream: Duplex, head: Buffer) => boolean) | undefined;
  onListening(): void;
  /** The server has begun to close: it accepts no connections and waits for the open ones. */
  onClosing(): void;
  /** All connections are closed. The server emits its `close` event when the promise has settled. */
  onClosed(): Promise<unknown>;
  /** The server was closed, but has never listened. It emits no event, and calls back when the promise has settled. */
  onDiscarded(): Promise<unknown>;
}

/** Passes a request on. */
export type PassOn = () => void;

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;

/** The server, if Annex can be put on it. */
export function toHttpServer(server: unknown): Server | undefined {
  return server instanceof http.Server || server instanceof SecureServer ? (server as Server) : undefined;
}

/**
 * Puts Annex before the listeners of another server, by its own `emit` and `close`. Replacing the listeners would miss
 * those that are added later, such as by socket.io, which does the same. Returns a function that restores the server.
 */
export function hookServer(server: Server, handlers: HostServerHandlers): () => void {
  const { onRequest, upgrades } = handlers;
  const { close } = server;
  const emit = server.emit as Emit;
  let isHooked = true;
  let hasListened = server.listening;

  function hookedEmit(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    if (isHooked && onRequest !== undefined && isRequest(event)) {
      handleRequest(onRequest, event, args[0] as IncomingMessage, args[1] as ServerResponse);
      return true;
    }
    if (isHooked && upgrades !== undefined && event === "upgrade") {
      if (upgrades(args[0] as IncomingMessage, args[1] as Duplex, args[2] as Buffer)) return true;
    }
    if (isHooked && event === "close") {
      const pass = () => void emit.call(server, event, ...args);
      handlers.onClosed().then(pass, pass);
      return server.listenerCount("close") > 0;
    }
    return emit.call(server, event, ...args);
  }

  // The closure has the values and not the list, so that no list is created for a request.
  function handleRequest(
    handle: NonNullable<HostServerHandlers["onRequest"]>,
    event: string | symbol,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const isTaken = handle(request, response, () => {
      emit.call(server, event, request, response);
    });
    // The client waits for this or for the response before it sends the body. The server leaves it to its listener.
    if (isTaken && event === "checkContinue" && !response.headersSent) response.writeContinue();
  }

  function hookedClose(this: Server, ...args: []): Server {
    if (isHooked && !hasListened && !server.listening) {
      const pass = () => void Reflect.apply(close, server, args);
      handlers.onDiscarded().then(pass, pass);
      return server;
    }
    if (isHooked) handlers.onClosing();
    return Reflect.apply(close, server, args);
  }

  function onListening(): void {
    hasListened = true;
    handlers.onListening();
  }

  const restore = [
    setOwn(server, "emit", hookedEmit as Server["emit"]),
    setOwn(server, "close", hookedClose as Server["close"]),
    listen(server, "listening", onListening),
  ];
  if (upgrades) restore.push(keepUpgrades(server));
  if (server.listening) onListening();
  return () => {
    isHooked = false;
    for (const undo of restore) undo();
  };
}

/** Events that carry a request. The latter two replace the first one if the server listens for them. */
function isRequest(event: string | symbol): boolean {
  return event === "request" || event === "checkContinue" || event === "checkExpectation";
}

function listen(server: Server, event: string, listener: (...args: never[]) => void): () => void {
  const any = listener as (...args: unknown[]) => void;
  server.on(event, any);
  return () => server.off(event, any);
}

/**
 * Without a listener for upgrades, Node handles them as normal requests. With ours, it does so no longer, so those that
 * have no handler are returned to the server.
 */
function keepUpgrades(server: Server): () => void {
  return listen(server, "upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (server.listenerCount("upgrade") > 1) return;
    if (isResponding(stream)) stream.destroy();
    else returnConnection(server, request, stream, head);
  });
}
