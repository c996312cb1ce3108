import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export interface Load {
  readonly sent: number;
  /** Requests whose whole response was received. */
  readonly acknowledged: number;
  /** Resolves when no request is open. */
  stop(): Promise<void>;
}

const requestMs = 10_000;

/** Sends requests at a steady rate, whether or not the server keeps up. */
export function startLoad(url: string, perSecond: number): Load {
  const agent = new Agent({ keepAlive: true });
  const open = new Set<Promise<void>>();
  const begin = performance.now();
  let sent = 0;
  let acknowledged = 0;
  const send = () => {
    sent++;
    const request = new Promise<void>((resolve) => {
      const asked = get(url, { agent, timeout: requestMs }, (response) => {
        response.on("error", () => resolve());
        response.resume().on("end", () => {
          acknowledged++;
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
    get sent() {
      return sent;
    },
    get acknowledged() {
      return acknowledged;
    },
    async stop() {
      clearInterval(timer);
      await Promise.race([Promise.all(open), delay(requestMs, undefined, { ref: false })]);
      agent.destroy();
    },
  };
}
