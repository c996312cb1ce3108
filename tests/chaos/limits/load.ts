import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A request whose whole response was received. */
export interface Acknowledged {
  readonly traceId: string;
  readonly at: number;
}

export interface TracedLoad {
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves when no request is open. */
  stop(): Promise<void>;
}

const requestMs = 10_000;

/** Sends requests at a steady rate, and notes the trace ID of each response. */
export function startTracedLoad(url: string, perSecond: number): TracedLoad {
  const agent = new Agent({ keepAlive: true });
  const open = new Set<Promise<void>>();
  const acknowledged: Acknowledged[] = [];
  const begin = performance.now();
  let sent = 0;
  const send = () => {
    sent++;
    const request = new Promise<void>((resolve) => {
      const asked = get(url, { agent, timeout: requestMs }, (response) => {
        response.on("error", () => resolve());
        response.resume().on("end", () => {
          acknowledged.push({ traceId: String(response.headers["x-trace-id"]), at: Date.now() });
          resolve();
        });
      });
      asked.on("error", () => resolve());
      asked.on("timeout", () => asked.destroy());
    });
    open.add(request);
    void request.then(() => open.delete(request));
  };
  const timer = setInterval(() => {
    while (sent < ((performance.now() - begin) * perSecond) / 1_000) send();
  }, 10);
  return {
    acknowledged,
    async stop() {
      clearInterval(timer);
      await Promise.race([Promise.all(open), delay(requestMs, undefined, { ref: false })]);
      agent.destroy();
    },
  };
}
