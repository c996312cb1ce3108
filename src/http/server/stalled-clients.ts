import type { Socket } from "node:net";

/**
 * Closes connections whose client has not read from a response for one to two timeouts. Idle connections are not
 * affected: a handler may take long, and an event stream may have no events. Checking all connections periodically
 * costs less than a timer per connection, which every request would have to reset.
 */
export function cutStalledClients(sockets: ReadonlySet<Socket>, stalledTimeoutMs: number): () => void {
  let waiting = new Map<Socket, number>();
  const timer = setInterval(() => {
    const stillWaiting = new Map<Socket, number>();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const taken = socket.bytesWritten - socket.writableLength;
      if (waiting.get(socket) === taken) socket.destroy();
      else stillWaiting.set(socket, taken);
    }
    waiting = stillWaiting;
  }, stalledTimeoutMs).unref();
  return () => clearInterval(timer);
}
