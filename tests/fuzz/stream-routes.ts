import type { WebSocket } from "ws";
import { type App, checked, type RequestEvent, type Router } from "../../src/index.ts";

/** What the fuzzer reads at the end of a run. */
export interface StreamState {
  readonly open: Readonly<Record<string, number>>;
  readonly slow: Readonly<Record<string, number>>;
  /** The largest amount of data that has waited for a client. */
  readonly largestUnread: number;
}

/** Small, so that a feed exceeds it soon after the buffers of the system are full. */
export const unreadBytes = 65_536;
export const chunkBytes = 65_536;
const feedBytes = 24 * 1_048_576;

/** The limits of the programs under test. A few addresses are used by many sessions. */
export const limits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 5_000,
  stalledTimeoutMs: 5_000,
  openStreamsPerAddress: 6,
  unreadBytes,
};

let largestUnread = 0;

function note(bytes: number): void {
  largestUnread = Math.max(largestUnread, bytes);
}

/** Data that is sent to a closed WebSocket does not wait, but is part of the amount. */
function noteSocket(socket: WebSocket): void {
  if (socket.readyState === socket.OPEN) note(socket.bufferedAmount);
}

/** The WebSockets of `addStreamRoutes`. */
export const webSockets: readonly string[] = ["/fuzz/echo/{name}", "/fuzz/feed"];

/** Routes for streams of each kind: some wait for their clients, some do not. */
export function addStreamRoutes(app: App): void {
  app.onServe(({ router }) => {
    router.upgrade("/fuzz/echo/{name}", (e, socket) => {
      e.pathValue("name");
      socket.on("message", (data, binary) => {
        socket.send(data, { binary });
        noteSocket(socket);
      });
    });
    router.upgrade("/fuzz/feed", (_, socket) => feed(socket));
    router.get("/fuzz/events", (e) => e.sse(yieldEvents));
    router.get("/fuzz/pushed-events", pushEvents);
    const { openStreams } = Reflect.get(app, "base").listener as { openStreams: StreamState };
    router.get("/fuzz/state", (e) =>
      e.json(200, { open: openStreams.open, slow: openStreams.slow, largestUnread }),
    );
  });
}

function feed(socket: WebSocket): void {
  const text = "x".repeat(chunkBytes);
  let sent = 0;
  const push = () => {
    if (socket.readyState !== socket.OPEN || sent > feedBytes) return;
    for (let count = 0; count < 8; count++) socket.send(text);
    sent += 8 * chunkBytes;
    noteSocket(socket);
    setImmediate(push);
  };
  push();
}

async function* yieldEvents() {
  for (let count = 0; count < 200; count++) {
    yield { id: count, data: "x".repeat(count * 50) };
    if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function pushEvents(e: RequestEvent) {
  const data = "x".repeat(chunkBytes);
  return e.sse<string>(({ send, close, signal }) => {
    let sent = 0;
    const push = () => {
      if (signal.aborted) return;
      if (sent > feedBytes) {
        close();
        return;
      }
      for (let count = 0; count < 8; count++) send({ data });
      sent += 8 * chunkBytes;
      note(e.response.writableLength);
      setImmediate(push);
    };
    push();
  });
}

interface Note {
  /** @minLength 1 @maxLength 200 */
  title: string;
  /** @maxItems 4 */
  tags?: string[];
  /** @format email */
  author?: string;
  /** @integer @minimum 0 */
  size?: number;
  parent?: Note | null;
  name?: Record<string, number> | string;
}

/** Routes whose requests are checked. */
export function addCheckedRoutes(router: Router): void {
  router.post("/fuzz/notes", async (e) => e.json(200, await e.bindBody<Note>())).bind(checked());
  router.put("/fuzz/notes/{id}", async (e) => e.json(200, await e.bindBody<Note[]>())).bind(checked());
  router
    .get("/fuzz/notes", (e) => {
      const page = Number(e.query("page") ?? 1);
      const sort = e.queryAll("sort");
      return e.json(200, { page, sort });
    })
    .bind(checked());
}
