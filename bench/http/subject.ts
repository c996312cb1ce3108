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

/**
 * The other half of the harness, inside the subject's process: announces the port and answers every message with the
 * CPU time so far. It stays out of the request path; the load generator does the counting.
 */
export function announce(port: number): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ micros: user + system } satisfies CpuTime);
  });
  // Ctrl-C reaches every process of the terminal: the harness answers it by going, and the closing channel ends us.
  process.on("SIGINT", () => {});
  process.once("disconnect", () => process.exit());
  process.send?.({ port } satisfies Readiness);
}

/** A folder of the subject's own, gone with it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
