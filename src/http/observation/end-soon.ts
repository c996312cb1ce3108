import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Ends a connection after all pending data has been written. */
export function endSoon(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon();
  else socket.end();
}
