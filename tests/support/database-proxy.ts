import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Cleanup } from "../../src/lib/testing/share.ts";

/** A network between an application and PostgreSQL that a test can break. */
export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Drops all packets of the connections that are open now, in both directions, and closes none of them. */
  silence(): void;
  /** How many silenced connections the application has not closed. */
  readonly silenced: number;
  /** Whether new connections reach the server. Otherwise, they are closed immediately. */
  isUp: boolean;
}

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

export async function startDatabaseProxy(
  t: Cleanup,
  target: string,
  { isUp = true }: { isUp?: boolean } = {},
): Promise<DatabaseProxy> {
  const url = new URL(target);
  const { hostname, port } = url;
  const connections = new Set<Connection>();
  const listener = createServer((client) => {
    client.on("error", () => {});
    if (!proxy.isUp) return void client.destroy();
    const server = connect(Number(port), hostname);
    const connection: Connection = { client, server, isSilent: false };
    connections.add(connection);
    client.on("data", (chunk) => connection.isSilent || server.write(chunk));
    server.on("data", (chunk) => connection.isSilent || client.write(chunk)).on("error", () => {});
    client.on("close", () => {
      connections.delete(connection);
      if (!connection.isSilent) server.destroy();
    });
    server.on("close", () => connection.isSilent || client.destroy());
  }).listen(0, "127.0.0.1");
  t.after(() => {
    listener.close();
    for (const { client, server } of connections) {
      client.destroy();
      server.destroy();
    }
  });
  await once(listener, "listening");
  url.port = `${(listener.address() as { port: number }).port}`;
  const proxy = {
    url: url.href,
    isUp,
    silence() {
      for (const connection of connections) connection.isSilent = true;
    },
    get silenced() {
      return [...connections].filter(({ isSilent }) => isSilent).length;
    },
  };
  return proxy;
}
