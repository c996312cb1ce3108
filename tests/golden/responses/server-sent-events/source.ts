// API_SOURCE
import type { EventStream, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Order {
  id: string;
  total: number;
}

declare function watch(after: string | undefined, signal: AbortSignal): AsyncIterable<Order>;
declare function subscribe(topic: string, listener: (order: Order) => void): () => void;

// What the generator reads is in the document; what it throws is not, because the head has been sent.
function orders(e: RequestEvent) {
  return e.sse(async function* ({ signal, lastEventId }) {
    if (e.query("fail") === "yes") throw e.error(410, "Too late.");
    for await (const order of watch(lastEventId, signal)) yield { event: "order", id: order.id, data: order };
  });
}

// A check before the stream is a response.
function topic(e: RequestEvent<"name">) {
  if (e.pathValue("name") === "secret") throw e.error(403, "Not for you.");
  return e.sse((stream) => follow(stream, e.pathValue("name")));
}

function follow({ send, signal }: EventStream<Order>, name: string): void {
  const stop = subscribe(name, (order) => send({ data: order }));
  signal.addEventListener("abort", stop);
}

export function routes(router: VersionedRouter): void {
  router.get("/orders", orders);
  router.get("/topics/{name}", topic);
  // A WebSocket is not an HTTP operation, so it is not in the document.
  router.upgrade("/chat", (_, socket) => socket.close());
}
