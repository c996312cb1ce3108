import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { createStaticFile, type StaticFile } from "../../http/index.ts";
import { DASHBOARD_FILE_NOT_FOUND, DASHBOARD_NOT_BUILT } from "./errors.ts";

/** The built client: the files referenced by the page, and all its files. */
export interface Client {
  readonly script: string;
  readonly styles: readonly string[];
  /** Names of the pages that it can load, such as "cron". */
  readonly pages: ReadonlySet<string>;
  /** Throws 404 if the client has no file of this name. */
  file(name: string): Promise<StaticFile>;
}

/** The manifest written by the bundler, by source file. */
type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; css?: readonly string[]; assets?: readonly string[] }
>;

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The folder of a page is its name. The overview has no chunk of its own; it is at `/_/_`. */
const pageSource = /^src\/pages\/([a-z][a-z0-9-]*)\//;

/** Reads the built client. Throws 503 with instructions if it has not been built. */
export async function readClient(folder: URL = findFolder()): Promise<Client> {
  const manifest = await readFile(new URL("manifest.json", folder), "utf8").catch((cause: unknown) => {
    throw DASHBOARD_NOT_BUILT.with({ cause });
  });
  const bySource: Manifest = JSON.parse(manifest);
  const chunks = Object.values(bySource);
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const names = new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
  const files = new Map<string, Promise<StaticFile>>();

  return {
    script: entry.file,
    styles: entry.css ?? [],
    pages: new Set(Object.keys(bySource).flatMap((source) => pageSource.exec(source)?.[1] ?? [])),
    async file(name) {
      // Only files listed in the manifest are read from disk.
      if (!names.has(name)) throw DASHBOARD_FILE_NOT_FOUND(name);
      let file = files.get(name);
      if (!file) {
        file = readStatic(new URL(name, folder), name);
        files.set(name, file);
        file.catch(() => files.delete(name));
      }
      return file;
    },
  };
}

async function readStatic(place: URL, name: string): Promise<StaticFile> {
  const type = types[extname(name)] ?? "application/octet-stream";
  const body = await readFile(place).catch((cause: unknown) => {
    // In a checkout, the client may be rebuilt while the server is running.
    throw DASHBOARD_FILE_NOT_FOUND.with({ cause }, name);
  });
  return createStaticFile(body, { type, keeping: "forever" });
}

/** Next to this file in a build; in a checkout, the output folder of `web/`. */
function findFolder(): URL {
  const beside = new URL("./client/", import.meta.url);
  return existsSync(beside) ? beside : new URL("../../../web/dist/", import.meta.url);
}
