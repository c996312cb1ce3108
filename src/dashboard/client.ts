import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { createStaticFile, type StaticFile } from "../http/index.ts";
import { DASHBOARD_FILE_NOT_FOUND, DASHBOARD_NOT_BUILT } from "./errors.ts";

/** The client as it was built: which files the page names, and all files there are. */
export interface Client {
  readonly script: string;
  readonly styles: readonly string[];
  /** Throws a 404 for what is none of them. */
  file(name: string): Promise<StaticFile>;
}

/** What the builder writes beside the files, by the name of the source. */
type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; css?: readonly string[]; assets?: readonly string[] }
>;

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads what was built. Throws a 503 that says what to do where nothing was. */
export async function readClient(folder: URL = findFolder()): Promise<Client> {
  const manifest = await readFile(new URL("manifest.json", folder), "utf8").catch((cause: unknown) => {
    throw DASHBOARD_NOT_BUILT.with({ cause });
  });
  const chunks = Object.values(JSON.parse(manifest) as Manifest);
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const names = new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
  const files = new Map<string, Promise<StaticFile>>();

  return {
    script: entry.file,
    styles: entry.css ?? [],
    async file(name) {
      // Only what the builder has written is ever looked for on the disk.
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
    // In a checkout, the client may be built anew while the server runs.
    throw DASHBOARD_FILE_NOT_FOUND.with({ cause }, name);
  });
  return createStaticFile(body, { type, keeping: "forever" });
}

/** Beside this file, where the build puts everything; in a checkout it is where `web/` is built. */
function findFolder(): URL {
  const beside = new URL("./client/", import.meta.url);
  return existsSync(beside) ? beside : new URL("../../web/dist/", import.meta.url);
}
