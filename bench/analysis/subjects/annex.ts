import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createAnnexProject } from "../projects/annex.ts";
import { writeFiles } from "../projects/files.ts";
import type { Run } from "../rounds.ts";
import { Server } from "./server.ts";

/** Without analysis, with all of it to do, and with what the last start has found out. */
export const modes = ["without", "cold", "cached"] as const;
export type Mode = (typeof modes)[number];

/** One start, to the document that has everything. */
export interface Start extends Run {
  readonly listeningMs: number;
  /** The compiler's part of the memory. */
  readonly compilerMegabytes: number;
}

export function createProject(folder: string, handlers: number): string {
  const project = join(folder, `annex-${handlers}`);
  writeFiles(project, createAnnexProject(handlers));
  mkdirSync(join(project, "node_modules"));
  return project;
}

export const cacheOf = (project: string) => join(project, "node_modules", ".cache", "annex", "analysis.json");

/** Starts the application and asks for its document at once. */
export async function measureStart(project: string, mode: Mode): Promise<Start> {
  prepareCache(project, mode);
  await using server = await Server.start(project, { isProduction: mode === "without" });
  await server.readDocument();
  const documentMs = performance.now() - server.begin;
  const { megabytes, childMegabytes, cpuMs } = server.readUsage();
  if (mode === "cold") copyFileSync(cacheOf(project), keptCacheOf(project));
  return {
    documentMs,
    cpuMs,
    megabytes: megabytes + childMegabytes,
    listeningMs: server.listeningMs,
    compilerMegabytes: childMegabytes,
  };
}

/** Starts the application, and ends it as soon as it listens. */
export async function measureListening(project: string, mode: Mode): Promise<number> {
  prepareCache(project, mode);
  await using server = await Server.start(project, { isProduction: mode === "without" });
  return server.listeningMs;
}

const keptCacheOf = (project: string) => `${cacheOf(project)}.kept`;

function prepareCache(project: string, mode: Mode): void {
  if (mode === "cold") rmSync(cacheOf(project), { force: true });
  if (mode === "cached" && !existsSync(cacheOf(project)))
    copyFileSync(keptCacheOf(project), cacheOf(project));
}
