// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Line {
  text: string;
}

declare function lines(): AsyncIterable<Line>;

async function listLines(e: RequestEvent) {
  const all: Line[] = [];
  for await (const line of lines()) {
    if (line.text === "") continue;
    all.push(line);
  }
  return e.json(200, all);
}

async function longestLine(e: RequestEvent) {
  let longest: Line | null = null;
  for await (const line of lines()) {
    if (longest === null || line.text.length > longest.text.length) longest = line;
  }
  return e.json(200, { longest });
}

export function routes(router: VersionedRouter): void {
  router.get("/lines", listLines);
  router.get("/longest", longestLine);
}
