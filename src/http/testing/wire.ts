import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { settles } from "../../lib/testing/until.ts";

export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  json<T = { status: number; message: string; data: object; trace_id: string }>(): T;
}

/** A connection on which a test writes arbitrary bytes and reads the responses. */
export class Wire {
  readonly socket: Socket;
  /** Resolves when the connection has ended, with or without an error. */
  readonly closed: Promise<void>;
  private received = Buffer.alloc(0);
  private isClosed = false;
  private wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.isClosed = true;
        this.wake();
        resolve();
      });
    });
  }

  static async connect(t: TestContext, port: number, options: { localAddress?: string } = {}): Promise<Wire> {
    const socket = connect({ host: "127.0.0.1", port, ...options });
    t.after(() => socket.destroy());
    await settles("the connection opens", once(socket, "connect"));
    return new Wire(socket);
  }

  /** Sends the lines of a head, a blank line and a body. */
  request(lines: readonly string[], body: string | Uint8Array = ""): void {
    this.send(`${lines.join("\r\n")}\r\n\r\n`);
    if (body.length > 0) this.send(body);
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next complete response. Fails if the connection ends before that. */
  async response({ withoutBody = false } = {}): Promise<WireResponse> {
    const head = (await this.takeThrough("\r\n\r\n")).slice(0, -4);
    const [statusLine = "", ...lines] = head.split("\r\n");
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
    const status = Number(statusLine.split(" ")[1]);
    const isBodyless = withoutBody || status < 200 || status === 204 || status === 304;
    const body = isBodyless ? "" : await this.body(headers);
    return { status, headers, body, json: () => JSON.parse(body) };
  }

  /** All bytes until the connection ends. */
  async rest(): Promise<string> {
    await settles("the connection ends", this.closed);
    return this.received.toString("latin1");
  }

  private async body(headers: ReadonlyMap<string, string>): Promise<string> {
    if (headers.get("transfer-encoding") === "chunked") {
      let body = "";
      for (;;) {
        const size = Number.parseInt(await this.takeThrough("\r\n"), 16);
        body += (await this.take(size + 2)).slice(0, -2);
        if (size === 0) return body;
      }
    }
    const length = headers.get("content-length");
    if (length !== undefined) return this.take(Number(length));
    return this.rest();
  }

  private async takeThrough(mark: string): Promise<string> {
    for (;;) {
      const end = this.received.indexOf(mark);
      if (end !== -1) return this.take(end + mark.length);
      await this.more();
    }
  }

  private async take(length: number): Promise<string> {
    while (this.received.length < length) await this.more();
    const taken = this.received.toString("utf8", 0, length);
    this.received = this.received.subarray(length);
    return taken;
  }

  private more(): Promise<void> {
    if (this.isClosed)
      throw new Error(`The connection ended after: ${this.received.toString("latin1", 0, 500)}`);
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    return settles("more bytes arrive", woken);
  }
}

/** The lines of a request without a body. */
export function get(path: string, ...headers: string[]): string[] {
  return [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers];
}
