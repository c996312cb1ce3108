import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { RequestEvent } from "../event.ts";
import { createStaticFile, type StaticFile, sendStatic } from "./static-file.ts";

/** The files of a client for browsers, as the bundler writes them. */
export interface ClientFiles {
  readonly script: string;
  readonly styles: readonly string[];
  /** The source files that have a file of their own. */
  readonly sources: readonly string[];
  /** Throws 404 if the client has no file of this name. */
  file(name: string): Promise<StaticFile>;
}

/** How a client that is not there is reported. */
export interface ClientErrors {
  notBuilt(cause: unknown): Error;
  fileNotFound(name: string, cause?: unknown): Error;
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

/** Reads a built client. Throws an error with instructions if it has not been built. */
export async function readClient(folder: URL, errors: ClientErrors): Promise<ClientFiles> {
  const manifest = await readFile(new URL("manifest.json", folder), "utf8").catch((cause: unknown) => {
    throw errors.notBuilt(cause);
  });
  const bySource: Manifest = JSON.parse(manifest);
  const chunks = Object.values(bySource);
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const names = new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
  const files = new Map<string, Promise<StaticFile>>();

  return {
    script: entry.file,
    styles: entry.css ?? [],
    sources: Object.keys(bySource),
    async file(name) {
      // Only files listed in the manifest are read from disk.
      if (!names.has(name)) throw errors.fileNotFound(name);
      let file = files.get(name);
      if (!file) {
        file = readStatic(new URL(name, folder)).catch((cause: unknown) => {
          // In a checkout, the client may be rebuilt while the server is running.
          files.delete(name);
          throw errors.fileNotFound(name, cause);
        });
        files.set(name, file);
      }
      return file;
    },
  };
}

async function readStatic(place: URL): Promise<StaticFile> {
  const type = types[extname(place.pathname)] ?? "application/octet-stream";
  return createStaticFile(await readFile(place), { type, keeping: "forever" });
}

/** The folder of a client: next to the code in a build, and an output folder of `web/` in a checkout. */
export function clientFolder(name: string, module: string): URL {
  const beside = new URL("./client/", module);
  return existsSync(beside) ? beside : new URL(`../../../web/dist/${name}/`, import.meta.url);
}

/** A client that is read on the first request, so that startup does not wait for it. Failed reads are retried. */
export class BuiltClient {
  private readonly read: () => Promise<ClientFiles>;
  private reading: Promise<ClientFiles> | undefined;

  constructor(read: () => Promise<ClientFiles>) {
    this.read = read;
  }

  files(): Promise<ClientFiles> {
    this.reading ??= this.read();
    this.reading.catch(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  async send(e: RequestEvent<never>, name: string): Promise<unknown> {
    const files = await this.files();
    try {
      return sendStatic(e, await files.file(name));
    } catch (error) {
      // In a checkout, a rebuild may have replaced files since the manifest was read, so it is read again. Unknown
      // names do not cause that, because any client can request them.
      if ((error as Error).cause !== undefined) this.reading = undefined;
      throw error;
    }
  }
}
