import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Content, countContent } from "../content.ts";
import { editedFile, editedName } from "../projects/annex.ts";
import { cacheOf, measureStart } from "./annex.ts";
import { type Edit, measureEdit } from "./edit.ts";
import { type Delay, Server } from "./server.ts";

/** What the analysis does to an application that runs. */
export interface Work {
  readonly content: Content;
  readonly delay: {
    readonly without: Delay;
    /** Until everything was found out, with no request made. */
    readonly reading: Delay;
    /** While the first document was made and sent. */
    readonly document: Delay;
  };
  /** The one in the middle of a few; `undefined`: no edit was seen. */
  readonly edits: { readonly afterCold: Edit | undefined; readonly afterCached: Edit | undefined };
}

/** What the query parameter is called, from edit to edit. */
const names = [editedName, "words", "phrase", "text"];

export async function measureWork(project: string, handlers: number): Promise<Work> {
  const file = join(project, editedFile(handlers));
  const { afterCold, content, reading, document, readingMs } = await measureColdWork(project, file);
  const without = await measureIdle(project, readingMs);
  const afterCached = await measureCachedEdit(project, file);
  return { content, delay: { without, reading, document }, edits: { afterCold, afterCached } };
}

async function measureColdWork(project: string, file: string) {
  rmSync(cacheOf(project), { force: true });
  await using server = await Server.start(project);
  const begin = performance.now();
  await untilCached(project);
  const readingMs = performance.now() - begin;
  const reading = await server.readDelay();
  const content = countContent(await server.readDocument());
  const document = await server.readDelay();
  const edits: (Edit | undefined)[] = [];
  for (const [index, from] of names.slice(0, -1).entries())
    edits.push(await measureEdit(server, file, [from, names[index + 1]!]));
  return { afterCold: middleOf(edits), content, reading, document, readingMs };
}

async function measureCachedEdit(project: string, file: string): Promise<Edit | undefined> {
  // What is kept after an edit may not be what the next start looks for, and this is about a start that finds it.
  await measureStart(project, "cached");
  await using server = await Server.start(project);
  await server.readDocument();
  return await measureEdit(server, file, [names.at(-1)!, "last"]);
}

function middleOf(edits: readonly (Edit | undefined)[]): Edit | undefined {
  const seen = edits.filter((edit) => edit !== undefined);
  return seen.toSorted((one, other) => one.exactMs - other.exactMs)[Math.floor(seen.length / 2)];
}

/** Everything is found out and kept, and the server has been told. */
async function untilCached(project: string): Promise<void> {
  while (!statSync(cacheOf(project), { throwIfNoEntry: false })) await delay(20);
  await delay(200);
}

async function measureIdle(project: string, idleMs: number): Promise<Delay> {
  await using server = await Server.start(project, { isProduction: true });
  await delay(idleMs);
  return await server.readDelay();
}
