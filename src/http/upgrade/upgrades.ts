import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { endSoon, type ObservedResponse } from "../observer.ts";
import { setPending } from "./accept.ts";
import type { WebSockets } from "./web-sockets.ts";

/** Whether a request asks for a WebSocket. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Creates the response to a request whose connection Node has handed over. It is observed like any other, so middleware
 * can refuse the request. If the connection does not become a WebSocket, it ends with the response.
 */
export function createUpgradeResponse(
  Response: new (request: IncomingMessage) => ObservedResponse,
  request: IncomingMessage,
  stream: Duplex,
): ObservedResponse {
  // Node has removed its own listener, and an error without a listener would end the process.
  stream.on("error", () => stream.destroy());
  const response = new Response(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  response.once("finish", () => {
    response.detachSocket(request.socket);
    endSoon(stream);
    response.destroyed = true;
    response.emit("close");
  });
  return response;
}

/** Makes the connection available to the last function of the route. */
export function offerUpgrade(
  webSockets: WebSockets,
  response: ObservedResponse,
  stream: Duplex,
  head: Buffer,
): void {
  setPending(response, webSockets.prepare({ request: response.req, response, stream, head }));
}
