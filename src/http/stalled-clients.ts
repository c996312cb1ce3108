import type { Socket } from "node:net";

/**
 * Cuts connections whose client leaves an answer unread for that long, or up to twice that long. Silence alone is no
 * fault: a handler may think for long, an event stream may have nothing to tell. One look at all connections now and
 * then costs less than a timer on each, which every request would have to push back.
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
