import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { AnalysisData } from "./analyze.ts";
import { isUnchanged, type Stamp } from "./stamps.ts";
import type { RawComponent, TypeFact } from "./types/query.ts";

/** What is kept from one start to the next. It only ever saves time: without it everything is found out again. */
export interface CacheContent {
  /** The releases of Annex and of the compiler that found it out. */
  readonly madeBy: string;
  /** Which routes it is about. */
  readonly routes: string;
  /** Files whose change makes everything doubtful: the compiler's configuration, the installed packages. */
  readonly environment: Readonly<Record<string, Stamp>>;
  /** Files that were read. */
  readonly files: Readonly<Record<string, Stamp>>;
  readonly data: AnalysisData;
  /** By question: the answer, and the digest of all files that it depends on. */
  readonly types: Readonly<Record<string, KeptFact>>;
  readonly components: Readonly<Record<string, RawComponent>>;
}

export interface KeptFact {
  readonly fact: TypeFact;
  readonly closure: string;
}

/** `undefined` when there is none, or it is of another release, or somebody has damaged it. */
export function readCache(path: string, madeBy: string): CacheContent | undefined {
  try {
    const content = JSON.parse(readFileSync(path, "utf8")) as CacheContent;
    return content.madeBy === madeBy && isCurrent(content.environment) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nothing that it depends on has changed. */
export function isWhole(content: CacheContent, routes: string): boolean {
  return content.routes === routes && isCurrent(content.files);
}

const isCurrent = (stamps: Readonly<Record<string, Stamp>>) =>
  Object.entries(stamps).every(([path, stamp]) => isUnchanged(path, stamp));

/** Written beside and then put in place, so that no other start ever reads half of it. A full disk costs the next start some time. */
export function writeCache(path: string, content: CacheContent): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const beside = `${path}.${process.pid}.tmp`;
    writeFileSync(beside, JSON.stringify(content));
    renameSync(beside, path);
  } catch {
    // Nothing depends on it.
  }
}
