import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Cleanup } from "../../src/lib/testing/share.ts";

/**
 * How a connection is lost: PostgreSQL ends it before the message has an effect, or the network resets it after the
 * message was delivered, so that only the response is missing.
 */
export type CutKind = "fatal" | "reset";

export interface CuttingProxyOptions {
  /** All connections are lost at the message after this number of messages from clients. Default: none. */
  readonly after?: number;
  readonly kind?: CutKind;
  /** How many connection attempts are refused after the cut. Default 1. */
  readonly refusals?: number;
}

/** A network between a client and PostgreSQL that loses all connections once, at a chosen message. */
export interface CuttingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Messages from clients so far. Several that arrive together count as one. */
  readonly messages: number;
  readonly hasCut: boolean;
  /** Connection attempts that were refused. */
  readonly refused: number;
  /** Loses all connections now. */
  cut(): void;
  /** Ends the outage. */
  recover(): void;
  close(): void;
}

export async function startCuttingProxy(
  t: Cleanup,
  target: string,
  { after = Number.POSITIVE_INFINITY, kind = "fatal", refusals = 1 }: CuttingProxyOptions = {},
): Promise<CuttingProxy> {
  const url = new URL(target);
  const { hostname, port } = url;
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();
  let messages = 0;
  let hasCut = false;
  let refused = 0;
  let left = refusals;

  function cutAll(): void {
    hasCut = true;
    for (const { client, server } of pairs) {
      if (kind === "fatal") client.end(administratorCommand);
      else client.resetAndDestroy();
      // A message that was delivered is executed.
      server.end();
    }
  }

  const listener = createServer((client) => {
    client.on("error", () => {});
    if (hasCut && left > 0) {
      left--;
      refused++;
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(port), hostname);
    const pair = { client, server };
    let isLost = false;
    pairs.add(pair);
    client.on("data", (chunk) => {
      if (isLost) return;
      messages++;
      const isCut = !hasCut && messages > after;
      if (!isCut || kind === "reset") server.write(chunk);
      if (isCut) cutAll();
    });
    client.on("close", () => {
      isLost = true;
      pairs.delete(pair);
      server.end();
    });
    server.on("data", (chunk) => client.writable && client.write(chunk));
    server.on("error", () => {}).on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  url.port = `${(listener.address() as { port: number }).port}`;
  const close = () => {
    listener.close();
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  t.after(close);
  return {
    url: url.href,
    get messages() {
      return messages;
    },
    get hasCut() {
      return hasCut;
    },
    get refused() {
      return refused;
    },
    cut: cutAll,
    recover: () => {
      left = 0;
    },
    close,
  };
}

/** What PostgreSQL sends to a connection that it ends for a shutdown. */
const administratorCommand = createErrorResponse({
  S: "FATAL",
  V: "FATAL",
  C: "57P01",
  M: "terminating connection due to administrator command",
});

function createErrorResponse(fields: Record<string, string>): Buffer {
  const entries = Object.entries(fields).map(([type, value]) => `${type}${value}\0`);
  const body = Buffer.from(`${entries.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
