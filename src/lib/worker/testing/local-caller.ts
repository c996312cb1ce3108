import { deserialize, serialize } from "node:v8";
import { systemClock } from "../../time/clock.ts";
import {
  type Caller,
  type Handlers,
  type Message,
  onlyService,
  type Send,
  toHandlerMap,
} from "../contract.ts";
import { createCaller, createPeer, type Peer } from "../peer.ts";

export interface LocalCallerOptions {
  /** Called with the transferred buffers of each message. */
  onSend?: Send;
}

/** A caller whose handlers run in this thread. Calls without a handler are rejected. */
export function createLocalCaller<Calls>(
  handlers: Partial<Handlers<Calls>>,
  { onSend }: LocalCallerOptions = {},
): Caller<Calls> {
  const services = new Map([[onlyService, toHandlerMap(handlers)]]);
  const common = { clock: systemClock, name: "local" };
  const caller: Peer = createPeer({
    ...common,
    services: new Map(),
    send(message, transfer) {
      onSend?.(message, transfer);
      served.receive(receivable(message));
    },
  });
  const served: Peer = createPeer({
    ...common,
    services,
    send: (message) => caller.receive(receivable(message)),
  });
  return createCaller<Calls>(caller, onlyService);
}

/** Copies a message, as a port does. */
function receivable(message: Message<unknown>): Message<never> {
  return deserialize(serialize(message));
}
