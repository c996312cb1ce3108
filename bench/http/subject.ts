import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server under test, as the harness sees it: a port, and the CPU time of its whole process, workers included. */
export interface Readiness {
  port: number;
}
export interface CpuTime {
  micros: number;
}

// However the harness ends, its closing channel ends us, in an orderly way: a signal that reaches the whole group too.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.once("disconnect", () => process.exit());

/**
 * The other half of the harness, inside the subject's process: announces the port and replies to every message with the
 * CPU time so far. It stays out of the request path; the load generator does the counting.
 */
export function announce(port: number): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ micros: user + system } satisfies CpuTime);
  });
  process.send?.({ port } satisfies Readiness);
}

/** A folder of the subject's own, gone with it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
