import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { peakMegabytes } from "./memory.ts";

export interface CommandRun {
  readonly milliseconds: number;
  readonly megabytes: number;
}

const limitMs = 90_000;
const lookMs = 40;

/** Runs Node with these arguments to its end, and tells how long it took and how large it grew. */
export async function runCommand(args: readonly string[], folder: string): Promise<CommandRun> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let megabytes = 0;
  const look = () => {
    const { own, children } = peakMegabytes(child.pid!);
    megabytes = Math.max(megabytes, own + children);
  };
  const looking = setInterval(look, lookMs);
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [[code, signal], complaints] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  const milliseconds = performance.now() - begin;
  clearInterval(looking);
  clearTimeout(limit);
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code ?? signal}:\n${complaints}`);
  return { milliseconds, megabytes };
}
