import { Worker, type WorkerOptions } from "node:worker_threads";

/** A module that lies beside another one: as source it is TypeScript, as a package JavaScript. */
export function moduleBeside(base: string, name: string): URL {
  return new URL(`./${name}${base.endsWith(".ts") ? ".ts" : ".js"}`, base);
}

/** Starts a thread with a module of ours. */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  // A program that was given as text is described by options with which a thread, which is a file, would not start.
  const isText = process.execArgv.some((option) => option.startsWith("--input-type"));
  return new Worker(entry, { ...options, ...(isText && { execArgv: [] }) });
}
