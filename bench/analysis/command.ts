import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { readUsage } from "./process-tree.ts";
import type { Run } from "./rounds.ts";

const limitMs = 90_000;
/** What a process uses is looked at so often; the last moments of its life are missed. */
const lookMs = 25;

/** Runs Node with these arguments to its end, and tells what it took. */
export async function runCommand(args: readonly string[], folder: string): Promise<Run> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let [megabytes, cpuMs] = [0, 0];
  const look = () => {
    const usage = readUsage(child.pid!);
    megabytes = Math.max(megabytes, usage.megabytes + usage.childMegabytes);
    cpuMs = Math.max(cpuMs, usage.cpuMs);
  };
  const looking = setInterval(look, lookMs);
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [[code, signal], complaints] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  const documentMs = performance.now() - begin;
  clearInterval(looking);
  clearTimeout(limit);
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code ?? signal}:\n${complaints}`);
  return { documentMs, cpuMs, megabytes };
}
