import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { AnnexDocument, Server } from "./server.ts";

export interface Edit {
  /** From saving the file until a document showed the new name. */
  readonly shownMs: number;
  /** … until that document had all its types again. */
  readonly exactMs: number;
}

const limitMs = 4_000;
const lookMs = 4;

/**
 * Saves a file with another name of a query parameter in it, and looks at the document until that shows it; `undefined`
 * when it never does.
 */
export async function measureEdit(
  server: Server,
  file: string,
  [from, to]: readonly [from: string, to: string],
): Promise<Edit | undefined> {
  const content = readFileSync(file, "utf8").replace(`e.query("${from}")`, `e.query("${to}")`);
  let { tag } = await server.ask();
  const begin = performance.now();
  writeFileSync(file, content);
  let shownMs: number | undefined;
  while (performance.now() - begin < limitMs) {
    const response = await server.ask(tag);
    tag = response.tag;
    if (response.document && hasQuery(response.document, to)) {
      const now = performance.now() - begin;
      shownMs ??= now;
      if (response.document["x-analysis"]?.level === "exact") return { shownMs, exactMs: now };
    }
    await delay(lookMs);
  }
  return undefined;
}

function hasQuery({ paths }: AnnexDocument, name: string): boolean {
  return JSON.stringify(paths).includes(`"name":"${name}","in":"query"`);
}
