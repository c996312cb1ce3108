import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { moveFile } from "../../../lib/paths/move-file.ts";
import type { AnalysisData } from "./analyze.ts";
import { isUnchanged, type Stamp } from "./stamps.ts";
import type { RawComponent, TypeFact } from "./types/query.ts";

/** The analysis results stored between starts. The cache only saves time: without it, everything is analyzed again. */
export interface CacheContent {
  /** The versions of Annex and of the compiler that produced it. */
  readonly madeBy: string;
  /** Identifies the routes that it covers. */
  readonly routes: string;
  /** Files whose changes invalidate everything: the compiler's configuration, the installed packages. */
  readonly environment: Readonly<Record<string, Stamp>>;
  /** The files that were read. */
  readonly files: Readonly<Record<string, Stamp>>;
  readonly data: AnalysisData;
  /** By query: the result and the digest of all files that it depends on. */
  readonly types: Readonly<Record<string, KeptFact>>;
  readonly components: Readonly<Record<string, RawComponent>>;
}

export interface KeptFact {
  readonly fact: TypeFact;
  readonly closure: string;
}

/** `undefined` if the file does not exist, is damaged or comes from another version. */
export function readCache(path: string, madeBy: string): CacheContent | undefined {
  try {
    const content = JSON.parse(readFileSync(path, "utf8")) as CacheContent;
    return content.madeBy === madeBy && isCurrent(content.environment) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the files that it depends on are unchanged. */
export function isWhole(content: CacheContent, routes: string): boolean {
  return content.routes === routes && isCurrent(content.files);
}

const isCurrent = (stamps: Readonly<Record<string, Stamp>>) =>
  Object.entries(stamps).every(([path, stamp]) => isUnchanged(path, stamp));

/**
 * Written to a temporary file and then renamed, so that another process never reads a partial file. If the disk is
 * full, the next start takes longer.
 */
export function writeCache(path: string, content: CacheContent): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const beside = `${path}.${process.pid}.tmp`;
    writeFileSync(beside, JSON.stringify(content));
    moveFile(beside, path);
  } catch {
    // The cache is optional.
  }
}
