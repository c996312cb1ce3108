import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../time/clock.ts";
import {
  type Caller,
  type HandlerMap,
  type Handlers,
  type Message,
  onlyService,
  type Send,
  toHandlerMap,
  type WorkerContract,
} from "./contract.ts";
import { createCaller, createPeer } from "./peer.ts";
import { messageOf } from "./worker-error.ts";

export interface WorkerContext<Contract extends WorkerContract> {
  /** As given to `startWorker`. */
  readonly data: Contract["data"];
  /** Calls the owner of the thread. */
  readonly owner: Caller<Contract["ownerCalls"]>;
}

export interface SingleContext<Contract extends WorkerContract> extends WorkerContext<Contract> {
  /** Reports why work is failing; `undefined` reports recovery. */
  report(reason: string | undefined): void;
}

export interface ServicesContext<Contract extends WorkerContract> extends WorkerContext<Contract> {
  report(service: string, reason: string | undefined): void;
}

/** The part of a service that runs in the thread. */
export interface Served<Calls> {
  readonly handlers: Handlers<Calls>;
  /** Finishes the work. Afterwards, the thread ends. */
  close?(): void | Promise<void>;
}

export interface ServedServices {
  readonly services: ReadonlyMap<string, Served<object>>;
  /** Called after all services have been closed. */
  close?(): void | Promise<void>;
  /** Called when a handler has thrown. */
  onError?(): void;
}

/**
 * Processes the calls of the thread's owner, once the service is open:
 *
 *     serveWorker<Adder>(({ data: { start } }) => ({ handlers: { add: (value) => start + value } }));
 */
export function serveWorker<Contract extends WorkerContract>(
  open: (context: SingleContext<Contract>) => Served<Contract["calls"]> | Promise<Served<Contract["calls"]>>,
): void {
  serveServices<Contract>(async ({ report, ...context }) => {
    const only = await open({ ...context, report: (reason) => report(onlyService, reason) });
    return { services: new Map([[onlyService, only]]) };
  });
}

/** Like `serveWorker`, with several services in one thread. */
export function serveServices<Contract extends WorkerContract>(
  open: (context: ServicesContext<Contract>) => ServedServices | Promise<ServedServices>,
): void {
  if (!parentPort) throw new Error("This module is the entry of a thread.");
  const port = parentPort;
  const send: Send = (message, transfer = []) => port.postMessage(message, transfer);
  const report = (service: string, reason: string | undefined) => send({ kind: "problem", service, reason });
  const handlers = new Map<string, HandlerMap>();
  const peer = createPeer({
    send,
    clock: systemClock,
    name: "owner",
    services: handlers,
    onError(error, { kind, service }) {
      // The caller of a post does not learn about the failure otherwise.
      if (kind === "post") report(service, messageOf(error));
      void opening.then(({ onError }) => onError?.());
    },
  });

  const opening = openServices();
  async function openServices(): Promise<ServedServices> {
    const context = {
      data: workerData,
      owner: createCaller<Contract["ownerCalls"]>(peer, onlyService),
      report,
    };
    const opened = await open(context);
    for (const [name, served] of opened.services) handlers.set(name, toHandlerMap(served.handlers));
    send({ kind: "ready" });
    return opened;
  }

  async function close(): Promise<void> {
    const { services, close: closeThread } = await opening;
    await Promise.allSettled([...services.values()].map(async (service) => service.close?.()));
    await closeThread?.();
    port.close();
  }

  port.on("message", (message: Message<never>) => {
    if (message.kind === "ping") send({ kind: "pong" });
    else if (message.kind === "close") void close();
    else if (message.kind === "output" || message.kind === "error") peer.receive(message);
    // Calls wait until the service is open. If opening fails, the rejection ends the thread.
    else void opening.then(() => peer.receive(message));
  });
}
