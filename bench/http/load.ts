/**
 * The load generator: a process that keeps a fixed number of connections busy with one request each. It is written on
 * node:net, sends bytes made beforehand and only looks at what it must, so that it has time left when the server on the
 * other core has none.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Target {
  port: number;
  path: string;
  /** What every response's body must be. */
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
  const size = measureResponse(text);
  if (size === undefined || text.length < size) {
    connection.partial = text;
  } else if (text.length > size || !hasStatus200() || !text.endsWith(`\r\n\r\n${pool.body}`)) {
    pool.onFailure(new Error(`unexpected response: ${text}`));
  } else {
    connection.partial = "";
    pool.size = size;
    pool.onResponse(connection);
  }
}

/** "200" behind "HTTP/1.1 ". */
function hasStatus200(): boolean {
  return received[9] === 0x32 && received[10] === 0x30 && received[11] === 0x30;
}

function measureResponse(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  if (length === undefined) throw new Error(`a response without content-length: ${text}`);
  return head + 4 + Number(length);
}

async function burst(order: BurstOrder): Promise<BurstResult> {
  const pool = await prepare(order);
  const request = Buffer.from(
    `GET ${order.path} HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nUser-Agent: annex-bench/1.0\r\nAccept: */*\r\n\r\n`,
  );
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
