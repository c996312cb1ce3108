/**
 * The load generator: a process that keeps a fixed number of connections busy with one request each. It is written on
 * node:net, sends bytes made beforehand and only looks at what it must, so that it has time left when the server on the
 * other core has none.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";

export interface Target {
  port: number;
  path: string;
  headers?: Record<string, string>;
  /** The JSON to send with POST. Without it, the method is GET. */
  send?: string;
  /** What every response's body must be, decoded. */
  body: string;
  connections: number;
}
export interface BurstOrder extends Target {
  /** The burst ends after so many seconds or requests, whichever comes first. */
  seconds: number;
  requests: number;
}
export interface BurstResult {
  requests: number;
  seconds: number;
  p99Ms: number;
  /** CPU time of the generator itself: near `seconds` it, not the server, was the limit. */
  generatorSeconds: number;
}
export type Question = { prepare: Target } | { burst: BurstOrder };

interface Connection {
  socket: Socket;
  /** What has arrived of a response that came in pieces. */
  partial: string;
  sentAt: number;
}
interface Pool {
  connections: Set<Connection>;
  onResponse: (connection: Connection) => void;
  onFailure: (error: Error) => void;
  body: string;
  /** Bytes of a whole response of this burst, learnt from the first: the next one of that size needs no parsing. */
  size: number;
}

const pools = new Map<number, Pool>();
// Node hands over each read before it makes the next, so that all sockets can read into the same memory.
const received = Buffer.allocUnsafe(65_536);

/** Opens what is missing: a server may close connections that lie idle between two bursts. */
async function prepare({ port, body, connections }: Target): Promise<Pool> {
  const pool = pools.get(port) ?? createPool();
  pools.set(port, pool);
  Object.assign(pool, { body, size: -1 });
  while (pool.connections.size < connections) await open(port, pool);
  return pool;
}

function createPool(): Pool {
  return { connections: new Set(), onResponse: () => {}, onFailure: () => {}, body: "", size: -1 };
}

async function open(port: number, pool: Pool): Promise<void> {
  const callback = (length: number) => {
    receive(connection, pool, length);
    return true;
  };
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer: received, callback } });
  const connection: Connection = { socket, partial: "", sentAt: 0 };
  await once(socket, "connect");
  pool.connections.add(connection);
  socket.on("error", (error) => pool.onFailure(error));
  socket.on("close", () => {
    pool.connections.delete(connection);
    pool.onFailure(new Error(`the server on port ${port} closed a connection during a burst`));
  });
}

function receive(connection: Connection, pool: Pool, length: number): void {
  if (length === pool.size && connection.partial === "" && hasStatus200()) pool.onResponse(connection);
  else receiveSlowly(connection, pool, length);
}

function receiveSlowly(connection: Connection, pool: Pool, length: number): void {
  const text = connection.partial + received.toString("latin1", 0, length);
  const response = splitResponse(text);
  if (response === undefined || text.length < response.size) {
    connection.partial = text;
  } else if (text.length > response.size || !isExpected(response, text, pool)) {
    pool.onFailure(new Error(`unexpected response: ${text.slice(0, 2_000)}`));
  } else {
    connection.partial = "";
    pool.size = response.size;
    pool.onResponse(connection);
  }
}

/** Decoding every compressed response would cost more than sending it: its size says enough after the first. */
function isExpected({ head, body, size }: WholeResponse, text: string, pool: Pool): boolean {
  if (!text.startsWith("HTTP/1.1 200 ")) return false;
  if (!/\r\ncontent-encoding: gzip/i.test(head)) return body === pool.body;
  return size === pool.size || gunzipSync(Buffer.from(body, "latin1")).toString() === pool.body;
}

/** "200" behind "HTTP/1.1 ". */
function hasStatus200(): boolean {
  return received[9] === 0x32 && received[10] === 0x30 && received[11] === 0x30;
}

interface WholeResponse {
  head: string;
  body: string;
  /** With its head and the sizes of its chunks. */
  size: number;
}

/** The parts of a response; undefined if more has to arrive before its size is known. */
function splitResponse(text: string): WholeResponse | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const size = end + 4 + Number(length);
    return { head, body: text.slice(end + 4, size), size };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without a length: ${text}`);
  return splitChunks(text, head, end + 4);
}

function splitChunks(text: string, head: string, start: number): WholeResponse | undefined {
  let body = "";
  for (let at = start; ; ) {
    const line = text.indexOf("\r\n", at);
    if (line === -1) return undefined;
    const length = Number.parseInt(text.slice(at, line), 16);
    const next = line + 2 + length + 2;
    if (text.length < next) return undefined;
    if (length === 0) return { head, body, size: next };
    body += text.slice(line + 2, line + 2 + length);
    at = next;
  }
}

function createRequest({ path, port, headers, send }: Target): Buffer {
  const all = {
    Host: `127.0.0.1:${port}`,
    "User-Agent": "annex-bench/1.0",
    Accept: "*/*",
    ...(send !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(send),
    }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${send === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${send ?? ""}`,
  );
}

async function burst(order: BurstOrder): Promise<BurstResult> {
  const pool = await prepare(order);
  const request = createRequest(order);
  const latencies = new Float64Array(order.requests);
  let sent = 0;
  let received = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const deadline = start + order.seconds * 1000;

  const send = (connection: Connection, now: number) => {
    sent++;
    connection.sentAt = now;
    connection.socket.write(request);
  };
  await new Promise<void>((resolve, reject) => {
    pool.onFailure = reject;
    pool.onResponse = (connection) => {
      const now = performance.now();
      latencies[received++] = now - connection.sentAt;
      if (sent < order.requests && now < deadline) send(connection, now);
      else if (received === sent) resolve();
    };
    for (const connection of pool.connections) send(connection, start);
  });
  pool.onFailure = () => {};

  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const p99Ms = latencies.subarray(0, received).sort()[Math.floor(received * 0.99)] ?? Number.NaN;
  return { requests: received, seconds, p99Ms, generatorSeconds: (user + system) / 1e6 };
}

process.on("message", async (question: Question) => {
  try {
    if ("burst" in question) {
      process.send?.(await burst(question.burst));
    } else {
      await prepare(question.prepare);
      process.send?.({});
    }
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.once("disconnect", () => process.exit());
process.send?.({});
