import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import mysql from "mysql2";
import { createConnection } from "mysql2/promise";
import { canary, type Failures } from "./failure.ts";

/** Errors of a server, by the query that causes them. */
const errors: readonly (readonly [query: RegExp, code: number, state: string, message: string])[] = [
  [/^insert/, 1062, "23000", `Duplicate entry '${canary}' for key 'users.email'`],
  [/^update/, 1366, "HY000", `Incorrect integer value: '${canary}' for column 'age' at row 1`],
  [
    /^select/,
    1064,
    "42000",
    `You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '${canary}' at line 1`,
  ],
];

/** A real client, and a server that speaks enough of the protocol to reject queries. */
export async function mysqlFailures(close: (end: () => Promise<void>) => void): Promise<Failures> {
  const port = await startServer(close);
  const connection = await createConnection({ host: "127.0.0.1", port, user: "ada", password: canary });
  close(async () => connection.destroy());
  return {
    "mysql2, unique": () => connection.query("insert into users (email) values (?)", [canary]),
    "mysql2, invalid": () => connection.query("update users set age = ?", [canary]),
    "mysql2, syntax": () => connection.query("select ?;;", [canary]),
    "mysql2, refused": () => createConnection({ host: "127.0.0.1", port: 1, user: "ada", password: canary }),
  };
}

/** The types of the package do not describe its server. */
interface MysqlServer extends Pick<Server, "listen" | "close"> {
  readonly _server: Server;
  on(event: "connection", accept: (connection: MysqlClient) => void): void;
}

interface MysqlClient {
  /** Number of the next packet. A server has to count it itself. */
  sequenceId: number;
  on(event: "query", receive: (query: string) => void): void;
  on(event: "error", ignore: () => void): void;
  serverHandshake(options: object): void;
  writeError(error: { code: number; message: string; sqlState: string }): void;
}

async function startServer(close: (end: () => Promise<void>) => void): Promise<number> {
  const server = (mysql as unknown as { createServer(): MysqlServer }).createServer();
  server.on("connection", (connection) => {
    connection.on("error", () => {});
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: "8.0.0",
      connectionId: 1,
      statusFlags: 2,
      characterSet: 33,
      capabilityFlags: 0xffffff ^ 0x00000800,
      authCallback: (_parameters: unknown, done: (problem: null) => void) => done(null),
    });
    connection.on("query", (query: string) => {
      const [, code, state, message] = errors.find(([pattern]) => pattern.test(query))!;
      connection.sequenceId = 1;
      connection.writeError({ code, message, sqlState: state });
      connection.sequenceId = 0;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server._server, "listening");
  close(async () => void server.close());
  return (server._server.address() as AddressInfo).port;
}
