import type { AlarmClock } from "../time/clock.ts";
import {
  type Caller,
  type HandlerMap,
  type Message,
  type PostOptions,
  type Send,
  type Target,
  Transferred,
} from "./contract.ts";
import { fromPlainError, toPlainError, WorkerError } from "./worker-error.ts";

/** One end of the connection between a thread and its owner. Both ends can call and be called. */
export interface Peer {
  call(target: Target, input: readonly unknown[]): Promise<never>;
  post(target: Target, input: readonly unknown[], options?: PostOptions<never>): void;
  /** Processes calls, posts, outputs and errors. Other messages are ignored. */
  receive(message: Message<never>): void;
  /** Rejects pending calls. Pending posts are lost. */
  end(error: Error): void;
  /** Memory of the messages that have not been processed yet. */
  readonly pendingBytes: number;
  /** Whether the other end has not processed everything yet. */
  readonly isPending: boolean;
}

export interface PeerOptions {
  readonly send: Send;
  readonly clock: AlarmClock;
  /** The name of the other end, for messages. */
  readonly name: string;
  /** The handlers of each service. */
  readonly services: ReadonlyMap<string, HandlerMap>;
  /** Time limit of a call. Default: none. */
  readonly callMs?: number | undefined;
  /** Called with the number of records in posts that were not processed. */
  onLost?(count: number): void;
  /** Called when a handler has thrown. */
  onError?(error: unknown, message: Target & { readonly kind: "call" | "post" }): void;
}

interface Pending {
  readonly bytes: number;
  done(output: never): void;
  fail(error: Error): void;
}

export function createPeer({ send, clock, name, services, callMs, onLost, onError }: PeerOptions): Peer {
  const pending = new Map<number, Pending>();
  let ids = 0;
  let pendingBytes = 0;

  function add(entry: Pending): number {
    const id = ++ids;
    pending.set(id, entry);
    pendingBytes += entry.bytes;
    return id;
  }

  function remove(id: number): Pending | undefined {
    const entry = pending.get(id);
    pending.delete(id);
    pendingBytes -= entry?.bytes ?? 0;
    return entry;
  }

  async function call({ service, name: call }: Target, input: readonly unknown[]): Promise<never> {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const id = add({ bytes: 0, done: resolve, fail: reject });
    const expire = () =>
      reject(new WorkerError("WORKER_TIMEOUT", `No response from the thread ${name} within ${callMs} ms.`));
    const cancelDeadline = callMs === undefined ? undefined : clock.after(callMs, expire);
    try {
      send({ kind: "call", id, service, name: call, input });
      return await promise;
    } finally {
      cancelDeadline?.();
      remove(id);
    }
  }

  async function handle(message: Extract<Message<never>, { kind: "call" | "post" }>): Promise<void> {
    const { id, service, name: call, input } = message;
    try {
      const handler = services.get(service)?.get(call);
      if (!handler) throw new WorkerError("WORKER_UNKNOWN_CALL", `Unknown call: ${call}`);
      const output = await handler(...input);
      if (output instanceof Transferred) send({ kind: "output", id, output: output.output }, output.transfer);
      else send({ kind: "output", id, output });
    } catch (error) {
      send({ kind: "error", id, error: toPlainError(error) });
      onError?.(error, message);
    }
  }

  return {
    call,
    post({ service, name: call }, input, { transfer, bytes = 0, count = 1, onDone } = {}) {
      const id = add({ bytes, done: (output) => onDone?.(output), fail: () => onLost?.(count) });
      try {
        send({ kind: "post", id, service, name: call, input }, transfer);
      } catch (error) {
        // The input cannot be cloned, which is a mistake of the caller.
        remove(id);
        throw error;
      }
    },
    receive(message) {
      if (message.kind === "output") remove(message.id)?.done(message.output);
      else if (message.kind === "error") remove(message.id)?.fail(fromPlainError(message.error));
      else if (message.kind === "call" || message.kind === "post") void handle(message);
    },
    end(error) {
      for (const id of pending.keys()) remove(id)?.fail(error);
    },
    get pendingBytes() {
      return pendingBytes;
    },
    get isPending() {
      return pending.size > 0;
    },
  };
}

/** Gives a service the types of its contract. */
export function createCaller<Calls>(peer: Pick<Peer, "call" | "post">, service: string): Caller<Calls> {
  return {
    call: (name, ...input) => peer.call({ service, name }, input),
    post: (name, input, options) => peer.post({ service, name }, input, options),
  };
}
