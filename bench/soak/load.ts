/**
 * A steady load: so many requests a second, whether or not the server keeps up. It is written on node:net, so that it
 * costs much less than the servers.
 */
import { connect, type Socket } from "node:net";

export interface LoadStats {
  readonly sent: number;
  readonly received: number;
  /** Not sent, because too many others were waiting. */
  readonly skipped: number;
  /** With a status that was not expected, or whose connection was closed. */
  readonly failed: number;
}

export interface Load {
  stats(): LoadStats;
  stop(): void;
}

const tickMs = 20;
const connections = 16;
/** A server that pauses for longer gets no burst afterwards that would fill its memory. */
const mostWaiting = 500;
const visitors = 5_000;

interface Connection {
  readonly socket: Socket;
  partial: string;
  /** The expected status. Undefined if no response is awaited. */
  status: string | undefined;
}

export function startLoad(port: number, perSecond: number): Load {
  const idle: Connection[] = [];
  const counts = { sent: 0, received: 0, skipped: 0, failed: 0 };
  const begin = performance.now();
  let due = 0;
  let isStopped = false;

  function open(): void {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const connection: Connection = { socket, partial: "", status: undefined };
    socket.on("connect", () => idle.push(connection));
    socket.on("data", (bytes) => receive(connection, bytes));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (connection.status !== undefined) counts.failed++;
      const index = idle.indexOf(connection);
      if (index !== -1) idle.splice(index, 1);
      if (!isStopped) setTimeout(open, 100);
    });
  }

  function receive(connection: Connection, bytes: Buffer): void {
    const text = connection.partial + bytes.toString("latin1");
    const size = sizeOf(text);
    if (size === undefined || text.length < size) {
      connection.partial = text;
      return;
    }
    if (text.slice(9, 12) === connection.status) counts.received++;
    else counts.failed++;
    connection.partial = "";
    connection.status = undefined;
    idle.push(connection);
    send();
  }

  function send(): void {
    while (counts.sent + counts.skipped < due) {
      const connection = idle.pop();
      if (connection === undefined) return;
      const { request, status } = createRequest(counts.sent++);
      connection.status = status;
      connection.socket.write(request);
    }
  }

  const timer = setInterval(() => {
    due = Math.floor(((performance.now() - begin) / 1_000) * perSecond);
    counts.skipped += Math.max(0, due - counts.sent - counts.skipped - mostWaiting);
    send();
  }, tickMs);
  for (let count = 0; count < connections; count++) open();
  return {
    stats: () => ({ ...counts }),
    stop() {
      isStopped = true;
      clearInterval(timer);
      for (const { socket } of idle) socket.destroy();
    },
  };
}

/** The bytes of a response. Undefined if its head is not there yet. */
function sizeOf(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`A response without a length: ${text.slice(0, end)}`);
  return end + 4 + Number(length);
}

/** Mostly successful requests of many clients, and a few page views, invented paths and errors. */
function createRequest(number: number): { request: string; status: string } {
  const kind = number % 100;
  const { path, status } = routeOf(kind, number);
  const visitor = (number * 7_919) % visitors;
  const lines = [
    `GET ${path} HTTP/1.1`,
    "Host: shop.example.com",
    `User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:${100 + (visitor % 20)}.0) Gecko/20100101 Firefox/${100 + (visitor % 20)}.0`,
    `X-Forwarded-For: 10.0.${visitor >> 8}.${visitor & 255}`,
    `Accept: ${kind >= 90 && kind < 95 ? "text/html" : "*/*"}`,
    "\r\n",
  ];
  return { request: lines.join("\r\n"), status };
}

function routeOf(kind: number, number: number): { path: string; status: string } {
  if (kind < 30) return { path: "/hello", status: "200" };
  if (kind < 90) return { path: `/users/${number % 1_000_003}`, status: "200" };
  if (kind < 95) return { path: `/pages/${number % 50}`, status: "200" };
  if (kind < 99) return { path: `/nothing/${number}`, status: "404" };
  return { path: "/failing", status: "500" };
}
