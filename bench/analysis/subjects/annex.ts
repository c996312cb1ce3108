import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Content, countContent } from "../content.ts";
import { median } from "../median.ts";
import { createAnnexProject, editedFile, editedName } from "../projects/annex.ts";
import { writeFiles } from "../projects/files.ts";
import { type Edit, measureEdit } from "./edit.ts";
import { type Delay, Server } from "./server.ts";

/** One start, to the document that has everything. */
interface Start {
  readonly listeningMs: number;
  /** From the start of the process to the document. */
  readonly documentMs: number;
  /** … less the time until it listened: what the start does not wait for. */
  readonly behindMs: number;
  readonly serverMegabytes: number;
  readonly compilerMegabytes: number;
}

export interface AnnexResult {
  readonly runs: number;
  readonly without: Start;
  readonly cold: Start;
  readonly cached: Start;
  /** How much later it listens than without analysis; medians of pairs. */
  readonly addedMs: { readonly cold: number; readonly cached: number };
  readonly delay: { readonly without: Delay; readonly reading: Delay; readonly document: Delay };
  /** `undefined`: an edit was not seen. */
  readonly edits: { readonly afterCold: Edit | undefined; readonly afterCached: Edit | undefined };
  readonly content: Content;
}

export function createProject(folder: string, handlers: number): string {
  const project = join(folder, `annex-${handlers}`);
  writeFiles(project, createAnnexProject(handlers));
  mkdirSync(join(project, "node_modules"));
  return project;
}

export async function measureAnnex(project: string, handlers: number, rounds: number): Promise<AnnexResult> {
  await measureStart(project, "without");
  const starts: Record<Mode, Start[]> = { without: [], cold: [], cached: [] };
  for (let round = 0; round < rounds; round++)
    for (const mode of modes) starts[mode].push(await measureStart(project, mode));
  const added = (mode: Mode) =>
    median(starts[mode].map(({ listeningMs }, index) => listeningMs - starts.without[index]!.listeningMs));
  const { edits, content, reading, document, tookMs } = await measureWork(project, handlers);
  return {
    runs: rounds,
    without: medians(starts.without),
    cold: medians(starts.cold),
    cached: medians(starts.cached),
    addedMs: { cold: added("cold"), cached: added("cached") },
    delay: { without: await measureIdle(project, tookMs), reading, document },
    edits,
    content,
  };
}

const modes = ["without", "cold", "cached"] as const;
type Mode = (typeof modes)[number];

const cacheOf = (project: string) => join(project, "node_modules", ".cache", "annex", "analysis.json");

async function measureStart(project: string, mode: Mode): Promise<Start> {
  if (mode === "cold") rmSync(cacheOf(project), { force: true });
  await using server = await Server.start(project, { isProduction: mode === "without" });
  await server.readDocument();
  const documentMs = performance.now() - server.begin;
  const { own, children } = server.readPeakMegabytes();
  return {
    listeningMs: server.listeningMs,
    documentMs,
    behindMs: documentMs - server.listeningMs,
    serverMegabytes: own,
    compilerMegabytes: children,
  };
}

function medians(starts: readonly Start[]): Start {
  const keys = Object.keys(starts[0]!) as (keyof Start)[];
  return Object.fromEntries(
    keys.map((key) => [key, median(starts.map((start) => start[key]))]),
  ) as unknown as Start;
}

/** A cold start that nobody asks for a document until the source is read, and edits after it and after a cached one. */
async function measureWork(project: string, handlers: number) {
  const file = join(project, editedFile(handlers));
  rmSync(cacheOf(project), { force: true });
  const edits: (Edit | undefined)[] = [];
  const { content, reading, document, tookMs } = await readAndEdit();
  // What is kept after an edit may not be what the next start looks for, and this is about a start that finds it.
  await measureStart(project, "cached");
  await using server = await Server.start(project);
  await server.readDocument();
  const afterCached = await measureEdit(server, file, [names.at(-1)!, "last"]);
  return { edits: { afterCold: middle(edits), afterCached }, content, reading, document, tookMs };

  async function readAndEdit() {
    await using server = await Server.start(project);
    const begin = performance.now();
    await isCached(project);
    const tookMs = performance.now() - begin;
    const reading = await server.readDelay();
    const content = countContent(await server.readDocument());
    const document = await server.readDelay();
    for (let index = 1; index < names.length; index++)
      edits.push(await measureEdit(server, file, [names[index - 1]!, names[index]!]));
    return { content, reading, document, tookMs };
  }
}

const names = [editedName, "words", "phrase", "text"];

function middle(edits: readonly (Edit | undefined)[]): Edit | undefined {
  const seen = edits.filter((edit) => edit !== undefined);
  return seen.toSorted((one, other) => one.exactMs - other.exactMs)[Math.floor(seen.length / 2)];
}

/** Waits until everything is found out and kept, and the server has been told. */
async function isCached(project: string): Promise<void> {
  while (!statSync(cacheOf(project), { throwIfNoEntry: false })) await delay(20);
  await delay(200);
}

async function measureIdle(project: string, idleMs: number): Promise<Delay> {
  await using server = await Server.start(project, { isProduction: true });
  await delay(idleMs);
  return await server.readDelay();
}
