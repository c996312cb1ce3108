import { Worker, type WorkerOptions } from "node:worker_threads";

/** A module in the same folder: TypeScript in the source, JavaScript in the package. */
export function moduleBeside(base: string, name: string): URL {
  return new URL(`./${name}${base.endsWith(".ts") ? ".ts" : ".js"}`, base);
}

/** Starts a thread with a module of Annex. */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  // The options of a program that is passed as text (`--input-type`) would prevent a thread from starting.
  const isText = process.execArgv.some((option) => option.startsWith("--input-type"));
  return new Worker(entry, { ...options, ...(isText && { execArgv: [] }) });
}
