import type { IncomingMessage, Server } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { endSoon } from "../observation/end-soon.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { openRequests } from "../observation/peer.ts";
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

/**
 * Whether a connection carries an earlier response, so that it cannot become a WebSocket. Node responds to some requests
 * by itself, without an event, for example to those without a host.
 */
export function isResponding(stream: Duplex): boolean {
  const { _httpMessage: response } = stream as { _httpMessage?: object | null };
  return openRequests(stream).length > 0 || (response !== undefined && response !== null);
}

const upgradeHeaders = new Set(["connection", "upgrade", "http2-settings"]);

/**
 * Before version 24.9, Node hands over the connections of all upgrade requests. Those that are not for a WebSocket get
 * back to the server, which reads the request again without its upgrade.
 */
export function returnConnection(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!upgradeHeaders.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit(server instanceof SecureServer ? "secureConnection" : "connection", stream);
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
