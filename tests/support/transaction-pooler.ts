import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import pg from "pg";
import type { Cleanup } from "../../src/lib/testing/share.ts";

/**
 * A pooler like PgBouncer in transaction mode with its default settings. It refuses the startup parameters that PgBouncer
 * refuses, and gives each transaction the server connection that was unused for the longest time, so that session state
 * is never where it was set. Clients need no password.
 */
export interface TransactionPooler {
  /** The address of the database through the pooler. */
  readonly url: string;
  /** The startup parameters that were refused, in order. */
  readonly refused: readonly string[];
  /** Runs a query on every server connection, outside the pooler's protocol. */
  queryServers(text: string): Promise<unknown[]>;
}

export interface PoolerOptions {
  readonly servers?: number;
  /** Accepts and ignores all startup parameters, as with `ignore_startup_parameters`. */
  readonly ignoresParameters?: boolean;
}

/** Parameters that PgBouncer applies to the server connection of a client. */
const tracked = new Set([
  "user",
  "database",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
  "application_name",
]);
const sslRequest = 80_877_103;
/** Messages to which the server responds with ReadyForQuery: Query, Sync and FunctionCall. */
const awaitsReady = new Set(["Q", "S", "F"]);

export async function startTransactionPooler(
  t: Cleanup,
  target: string,
  { servers = 3, ignoresParameters = false }: PoolerOptions = {},
): Promise<TransactionPooler> {
  const refused: string[] = [];
  const pool = await ServerPool.open(target, servers);
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    serveClient(socket, pool, (name) => {
      if (ignoresParameters || tracked.has(name)) return true;
      refused.push(name);
      return false;
    });
  }).listen(0, "127.0.0.1");
  t.after(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
    pool.close();
  });
  await once(listener, "listening");
  const url = new URL(target);
  url.port = `${(listener.address() as { port: number }).port}`;
  url.password = "";
  return { url: url.href, refused, queryServers: (text) => pool.queryAll(text) };
}

/** A server connection after authentication. */
interface ServerConnection {
  readonly stream: Socket;
  receive: (chunk: Buffer) => void;
}

class ServerPool {
  private readonly all: ServerConnection[];
  private readonly free: ServerConnection[];
  private readonly waiting: ((server: ServerConnection) => void)[] = [];

  static async open(target: string, size: number): Promise<ServerPool> {
    return new ServerPool(await Promise.all(Array.from({ length: size }, () => connectServer(target))));
  }

  private constructor(servers: ServerConnection[]) {
    this.all = servers;
    this.free = [...servers];
  }

  take(): Promise<ServerConnection> {
    const server = this.free.shift();
    return server
      ? Promise.resolve(server)
      : new Promise((resolve) => {
          this.waiting.push(resolve);
        });
  }

  release(server: ServerConnection): void {
    server.receive = () => {};
    const next = this.waiting.shift();
    if (next) next(server);
    else this.free.push(server);
  }

  /** The first column of the first row, from each connection. */
  queryAll(text: string): Promise<unknown[]> {
    return Promise.all(
      this.all.map(async () => {
        const server = await this.take();
        const value = await queryText(server, text);
        return { server, value };
      }),
    ).then((results) =>
      results.map(({ server, value }) => {
        this.release(server);
        return value;
      }),
    );
  }

  close(): void {
    for (const { stream } of this.all) stream.destroy();
  }
}

async function connectServer(target: string): Promise<ServerConnection> {
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  const stream = client.connection.stream as Socket;
  stream.removeAllListeners();
  const server: ServerConnection = { stream, receive: () => {} };
  stream.on("data", (chunk) => server.receive(chunk)).on("error", () => {});
  return server;
}

function queryText(server: ServerConnection, text: string): Promise<string> {
  return new Promise((resolve) => {
    let value = "";
    server.receive = readMessages((type, message) => {
      // A row: type, length, number of columns, then length and bytes of the first one.
      if (type === "D") value = message.toString("utf8", 11, 11 + message.readInt32BE(7));
      if (type === "Z") resolve(value);
    });
    server.stream.write(frame("Q", Buffer.from(`${text}\0`)));
  });
}

/** Links the client to a server connection from its first message until no transaction is open and no response missing. */
function serveClient(socket: Socket, pool: ServerPool, accepts: (parameter: string) => boolean): void {
  let server: ServerConnection | undefined;
  let isTaking = false;
  let missing = 0;
  const pending: Buffer[] = [];

  const receive = readMessages((type, message) => {
    socket.write(message);
    if (type !== "Z") return;
    missing--;
    const isIdle = message[5] === "I".charCodeAt(0);
    if (!isIdle || missing > 0 || !server) return;
    pool.release(server);
    server = undefined;
  });

  async function forward(message: Buffer): Promise<void> {
    pending.push(message);
    if (!server && !isTaking) {
      isTaking = true;
      server = await pool.take();
      server.receive = receive;
      isTaking = false;
    }
    if (server) for (const each of pending.splice(0)) server.stream.write(each);
  }

  const onMessage = readMessages((type, message) => {
    if (type === "X") return void socket.end();
    if (awaitsReady.has(type)) missing++;
    void forward(message);
  });

  let start = Buffer.alloc(0);
  const onStart = (chunk: Buffer) => {
    start = Buffer.concat([start, chunk]);
    if (start.length < 8 || start.length < start.readInt32BE(0)) return;
    const code = start.readInt32BE(4);
    const message = start.subarray(8, start.readInt32BE(0));
    start = start.subarray(start.readInt32BE(0));
    if (code === sslRequest) return void socket.write("N");
    const refusal = parseParameters(message).find((name) => !accepts(name));
    if (refusal !== undefined) return void socket.end(createRefusal(refusal));
    socket.off("data", onStart).on("data", onMessage);
    socket.write(createWelcome());
  };
  socket.on("data", onStart);
  // Whatever the client left unfinished must not reach the next one.
  socket.on("close", () => server?.stream.destroy());
}

function parseParameters(message: Buffer): string[] {
  const parts = message.toString("utf8").split("\0");
  return parts.filter((name, index) => index % 2 === 0 && name !== "").map((name) => name.toLowerCase());
}

function createRefusal(name: string): Buffer {
  const fields = { S: "FATAL", C: "08P01", M: `unsupported startup parameter: ${name}` };
  const text = Object.entries(fields).map(([key, value]) => `${key}${value}\0`);
  return frame("E", Buffer.from(`${text.join("")}\0`));
}

function createWelcome(): Buffer {
  const parameter = (name: string, value: string) => frame("S", Buffer.from(`${name}\0${value}\0`));
  return Buffer.concat([
    frame("R", Buffer.from([0, 0, 0, 0])),
    parameter("client_encoding", "UTF8"),
    parameter("standard_conforming_strings", "on"),
    frame("K", Buffer.alloc(8)),
    frame("Z", Buffer.from("I")),
  ]);
}

function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Splits a stream into messages: a type of one byte, a length without it, and the body. */
function readMessages(onMessage: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(String.fromCharCode(message[0]!), message);
    }
  };
}
