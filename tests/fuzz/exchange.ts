import { connect } from "node:net";

/** How a request ended. */
export type Outcome =
  | { readonly kind: "response"; readonly status: number; readonly body: string }
  /** A WebSocket, with the close code if the server sent one. */
  | { readonly kind: "socket"; readonly code?: number; readonly problem?: string }
  /** The server closed the connection without a response. */
  | { readonly kind: "closed" }
  /** Nothing happened within the deadline. */
  | { readonly kind: "hang" };

export interface Exchange {
  readonly port: number;
  readonly bytes: Buffer;
  /** Whether the client closes its side after the last byte, as one does that gives up. */
  readonly givesUp: boolean;
  /** For how long the client does not read an event stream that has begun, before it disconnects. */
  readonly lingersMs?: number;
  readonly deadlineMs: number;
}

/** Sends the bytes on a connection of their own and reads the response to its end, or to the start of a stream. */
export function exchange({ port, bytes, givesUp, lingersMs = 0, deadlineMs }: Exchange): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(() => finish({ kind: "hang" }), deadlineMs);
    function finish(outcome: Outcome): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    }
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (chunks.length > 2 || !isEventStream(chunks)) return;
      socket.pause();
      setTimeout(() => finish(readOutcome(chunks)), lingersMs);
    });
    // A server that refuses a request may close before it has read all of it.
    socket.on("error", () => {});
    socket.on("close", () => finish(readOutcome(chunks)));
    if (givesUp) socket.end(bytes);
    else socket.write(bytes);
  });
}

function isEventStream(chunks: readonly Buffer[]): boolean {
  return /^content-type: text\/event-stream/im.test(headOf(Buffer.concat(chunks).toString("latin1")));
}

export function readOutcome(chunks: readonly Buffer[]): Outcome {
  const text = Buffer.concat(chunks).toString();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined) return { kind: "closed" };
  return { kind: "response", status: Number(status), body: text.slice(headOf(text).length) };
}

function headOf(text: string): string {
  const end = text.indexOf("\r\n\r\n");
  return end === -1 ? text : text.slice(0, end);
}
