import { Agent, get } from "node:http";

export interface Latencies {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
}

/** Each connection sends its next request when it has the response to the last one. */
export function createLoad({ port, path, connections }: Target) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function request(): Promise<void> {
    return new Promise((resolve, reject) => {
      get({ host: "127.0.0.1", port, path, agent }, (response) => {
        response.resume();
        response.once("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${path} returned ${response.statusCode}`));
        });
      }).once("error", reject);
    });
  }

  return {
    async run(seconds: number): Promise<Latencies> {
      const times: number[] = [];
      const begin = performance.now();
      const end = begin + seconds * 1_000;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let at = performance.now(); at < end; ) {
            await request();
            const now = performance.now();
            times.push(now - at);
            at = now;
          }
        }),
      );
      const elapsed = (performance.now() - begin) / 1_000;
      times.sort((one, other) => one - other);
      const quantile = (share: number) => times[Math.floor(times.length * share)]!;
      return {
        requests: times.length,
        perSecond: times.length / elapsed,
        p50: quantile(0.5),
        p99: quantile(0.99),
      };
    },
    close: () => agent.destroy(),
  };
}
