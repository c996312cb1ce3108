/** One request to an application, and all that follows from it. */
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { settles, until } from "../../../src/lib/testing/until.ts";
import { portOf } from "../hosts/host.ts";
import { describeError } from "./failures.ts";
import { followUp, type Scenario } from "./scenarios.ts";

export interface Outcome {
  /** All that the client has received. Absent if an uncaught error would have ended the process. */
  readonly received?: string;
  readonly end: "closed" | "reset" | "left open" | "uncaught error" | "left by the client";
  /** What the application, the console and the process have seen, in order. */
  readonly seen: readonly string[];
}

/** What the application and the process have seen since the last request. */
export class Sightings {
  seen: string[] = [];
  hasUncaught = false;
  readonly note = (seen: string): void => void this.seen.push(seen);

  constructor() {
    console.error = (...args) => this.note(`console: ${args.join(" ").trim().split("\n", 1)[0]}`);
    // Without a listener, each of them would end the process.
    process.on("uncaughtException", (error) => {
      this.hasUncaught = true;
      this.note(`uncaught ${describeError(error)}`);
    });
  }

  clear(): void {
    this.seen = [];
    this.hasUncaught = false;
  }
}

interface Side {
  readonly server: Server;
  /** The connections that the server has not closed yet, by the port of the client. */
  readonly open: Map<number, Socket>;
}

export function watchConnections(server: Server): Side {
  const open = new Map<number, Socket>();
  server.on("connection", (socket: Socket) => {
    const { remotePort = 0 } = socket;
    open.set(remotePort, socket);
    socket.once("close", () => open.delete(remotePort));
  });
  return { server, open };
}

/** The bytes of a client, until its connection has closed. */
class Client {
  readonly socket: Socket;
  private readonly chunks: Buffer[] = [];
  /** How the connection was closed. */
  end: "closed" | "reset" | undefined;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk) => this.chunks.push(chunk));
    this.socket.on("error", () => {});
    this.socket.once("close", (hadError) => {
      this.end = hadError ? "reset" : "closed";
    });
  }

  get hasReceived(): boolean {
    return this.chunks.length > 0;
  }

  get received(): string {
    return Buffer.concat(this.chunks).toString("latin1");
  }
}

export async function exchange(
  { server, open }: Side,
  { name, request, failure, leaves }: Scenario,
  sightings: Sightings,
  staysOpen: boolean,
): Promise<Outcome> {
  sightings.clear();
  const client = new Client(portOf(server));
  await settles("the connection opens", once(client.socket, "connect"));
  const { localPort = 0 } = client.socket;
  await until("the server has the connection", () => open.has(localPort));
  // To Node, bytes after the last request of a connection are an error.
  const isLast = leaves !== undefined || /HTTP\/1\.0\r|Connection: close/.test(request);
  client.socket.write(isLast ? request : request + followUp);
  const hasFailed = () =>
    failure === undefined || sightings.seen.includes("fails") || client.end !== undefined;
  await until(`the handler of "${name}" fails`, hasFailed);
  let end: Outcome["end"];
  if (leaves !== undefined) {
    if (leaves === "after the first byte") await until("a byte arrives", () => client.hasReceived);
    else await passTurn(server);
    client.socket.destroy();
    end = "left by the client";
  } else if (staysOpen) {
    await passTurn(server);
    await passTurn(server);
    end = client.end ?? "left open";
    open.get(localPort)?.destroy();
  } else {
    await until(`the connection of "${name}" ends`, () => client.end !== undefined || sightings.hasUncaught);
    end = client.end ?? "uncaught error";
  }
  if (sightings.hasUncaught) open.get(localPort)?.destroy();
  await until("the client sees the end", () => client.end !== undefined);
  await until("the server closes the connection", () => !open.has(localPort));
  await passTurn(server);
  const seen = sightings.seen;
  if (sightings.hasUncaught) return { end: "uncaught error", seen };
  return leaves === undefined ? { received: client.received, end, seen } : { end, seen };
}

/** One more request. When it has ended, the server has handled what happened before. */
async function passTurn(server: Server): Promise<void> {
  const client = new Client(portOf(server));
  client.socket.write(followUp);
  await until("the server handles another request", () => client.end !== undefined);
}
