import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Outcome, readOutcome } from "./exchange.ts";
import { pong, type SocketSession } from "./web-sockets.ts";

interface SessionRun {
  readonly port: number;
  readonly session: SocketSession;
  readonly deadlineMs: number;
}

/** Opens a WebSocket, sends the frames and closes the connection, or waits until the server closes it. */
export async function runSession({ port, session, deadlineMs }: SessionRun): Promise<Outcome> {
  const chunks: Buffer[] = [];
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise<"closed">((resolve) => socket.on("close", () => resolve("closed")));
  // A server that refuses a session may close before it has read all of it.
  socket.on("error", () => {});
  const begun = new Promise<"begun">((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      const status = statusOf(chunks);
      if (status === "101") resolve("begun");
      // The server would keep the connection for the next request.
      else if (status !== undefined) socket.end();
    });
  });
  if (session.isWellFormed) socket.write(session.bytes);
  // The client gives up, as the server may wait for the rest.
  else socket.end(session.bytes);
  try {
    const first = await within(deadlineMs, Promise.race([begun, closed]));
    if (first === undefined) return { kind: "hang" };
    if (first === "closed") return readOutcome(chunks);
    if (!session.reads) socket.pause();
    for (const frame of session.frames) {
      socket.write(frame);
      // The server reads some of them together.
      if (frame.length % 2 === 0) await delay(1);
    }
    if (session.ends === "server") {
      const isCut = await within(deadlineMs, Promise.race([closed, pretendLife(socket)]));
      return isCut === undefined ? { kind: "hang" } : { kind: "socket", ...readFrames(chunks) };
    }
    // The server may close the connection first.
    if (session.reads) socket.end();
    await Promise.race([closed, delay(session.reads ? 1_000 : 20)]);
    return { kind: "socket", ...readFrames(chunks) };
  } finally {
    socket.destroy();
  }
}

/** Sends pongs until the connection is closed. A client that does not read notices it only by writing. */
async function pretendLife(socket: Socket): Promise<"closed"> {
  while (socket.writable) {
    socket.write(pong);
    await delay(100);
  }
  return "closed";
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const abort = new AbortController();
  const timeout = delay(milliseconds, undefined, { signal: abort.signal }).catch(() => undefined);
  const result = await Promise.race([promise, timeout]);
  abort.abort();
  return result;
}

/** The status, once the head of the response is complete. */
function statusOf(chunks: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(chunks.slice(0, 3)).toString("latin1", 0, 4_096);
  return text.includes("\r\n\r\n") ? text.slice(9, 12) : undefined;
}

/** The close code that the server sent, and how its frames break the protocol. */
function readFrames(chunks: readonly Buffer[]): { code?: number; problem?: string } {
  const all = Buffer.concat(chunks);
  let at = all.indexOf("\r\n\r\n") + 4;
  while (at + 2 <= all.length) {
    const [first, second] = [all[at]!, all[at + 1]!];
    const short = second & 0x7f;
    if (second & 0x80) return { problem: "a frame of the server is masked" };
    if (first & 0x70) return { problem: "a frame of the server has reserved bits" };
    const headLength = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (at + headLength > all.length) return {};
    const length =
      short === 126 ? all.readUInt16BE(at + 2) : short === 127 ? Number(all.readBigUInt64BE(at + 2)) : short;
    const payload = all.subarray(at + headLength, at + headLength + length);
    at += headLength + length;
    if ((first & 0xf) !== 0x8) continue;
    if (at < all.length) return { problem: "the server sent data after its close frame" };
    if (payload.length >= 2) return { code: payload.readUInt16BE(0) };
    return {};
  }
  return {};
}
