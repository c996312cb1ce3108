import type { Handler } from "../../../../src/index.ts";

interface Window {
  startedAt: number;
  used: number;
}

/** Refuses clients that ask too often, counted by their address. */
export function rateLimit({ perMinute }: { perMinute: number }): Handler {
  const windows = new Map<string, Window>();

  function take(ip: string): number {
    const now = Date.now();
    let current = windows.get(ip);
    if (!current || now - current.startedAt > 60_000) {
      current = { startedAt: now, used: 0 };
      windows.set(ip, current);
    }
    current.used += 1;
    return perMinute - current.used;
  }

  return async (e) => {
    const left = take(e.ip);
    if (left < 0) {
      e.setHeader("Retry-After", 60);
      throw e.error(429, `At most ${perMinute} requests a minute.`);
    }
    e.setHeader("X-RateLimit-Remaining", left);
    await e.next();
  };
}
