import { createHash } from "node:crypto";
import { closeSync, createReadStream, fsyncSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { createPrivateFile, writeFully } from "./durable-files.ts";
import { describeReason } from "./io-errors.ts";
import { type DatabaseEntry, type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { blockSize, decodeHeader, encodeHeader, paddingOf, type TarEntry } from "./tar.ts";

/** Fast, because the server needs the processor as well. Higher levels save little. */
const compressionLevel = 3;

const largestManifest = 2 ** 20;

/** Writes a backup to a new file and waits until it is on the disk. `pathOf` returns the path of a database copy. */
export async function writeArchive(
  path: string,
  manifest: Manifest,
  pathOf: (file: string) => string,
): Promise<void> {
  const file = createPrivateFile(path);
  try {
    await pipeline(
      serialize(manifest, pathOf),
      createGzip({ level: compressionLevel }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) writeFully(file, chunk);
      },
    );
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

async function* serialize(manifest: Manifest, pathOf: (file: string) => string): AsyncGenerator<Buffer> {
  const modified = Date.parse(manifest.created);
  const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
  yield encodeHeader({ name: manifestName, bytes: text.length }, modified);
  yield text;
  yield Buffer.alloc(paddingOf(text.length));
  for (const { file: name, bytes } of manifest.databases) {
    yield encodeHeader({ name, bytes }, modified);
    yield* createReadStream(pathOf(name), { highWaterMark: 2 ** 18 });
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * blockSize);
}

export interface ArchiveReceiver {
  /** Called first. May throw to refuse the backup. */
  manifest?(manifest: Manifest): void;
  /** Called with the parts of each database, in order. */
  write?(file: string, chunk: Buffer): void;
}

/** Reads a whole backup and compares all checksums. */
export function readArchive(path: string, receiver: ArchiveReceiver = {}): Promise<Manifest> {
  return openArchive(path, async (source) => {
    const manifest = await readManifestEntry(path, source);
    receiver.manifest?.(manifest);
    for (const entry of manifest.databases) await readDatabase(source, entry, receiver);
    await readEnd(source);
    return manifest;
  });
}

/** Reads what a backup contains, without checking it. */
export function readManifest(path: string): Promise<Manifest> {
  return openArchive(path, (source) => readManifestEntry(path, source));
}

async function openArchive<R>(path: string, read: (source: ByteSource) => Promise<R>): Promise<R> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 });
  const content = createGunzip();
  file.on("error", (error) => content.destroy(error)).pipe(content);
  try {
    return await read(new ByteSource(content));
  } catch (error) {
    throw explainRead(path, error);
  } finally {
    file.destroy();
    content.destroy();
  }
}

class DamagedError extends Error {}

function explainRead(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof DamagedError || code?.startsWith("Z_")) {
    const reason = error instanceof DamagedError ? error.message : "its data cannot be decompressed";
    const message = `The backup ${path} is damaged: ${reason}. Use another backup.`;
    return new BackupError("invalid", message, { cause: error });
  }
  if (syscall === undefined) return error;
  if (code === "ENOENT") return new BackupError("missing", `The backup ${path} does not exist.`);
  return new BackupError("missing", `Failed to read the backup ${path}: ${describeReason(error)}.`, {
    cause: error,
  });
}

/** Until the manifest is read, the file may be anything. */
async function readManifestEntry(path: string, source: ByteSource): Promise<Manifest> {
  try {
    const entry = decodeHeader(await source.read(blockSize));
    if (entry?.name !== manifestName || !(entry.bytes <= largestManifest)) throw new Error("No manifest.");
    const manifest = parseManifest((await source.read(entry.bytes)).toString());
    await source.skip(paddingOf(entry.bytes));
    return manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const message = `The file ${path} is not a backup of Annex, or it is damaged.`;
    throw new BackupError("invalid", message, { cause: error });
  }
}

async function readDatabase(
  source: ByteSource,
  { file, bytes, sha256 }: DatabaseEntry,
  receiver: ArchiveReceiver,
): Promise<void> {
  const header = readHeader(await source.read(blockSize));
  if (header?.name !== file || header.bytes !== bytes) throw new DamagedError(`${file} is missing`);
  const hash = createHash("sha256");
  for await (const chunk of source.stream(bytes)) {
    hash.update(chunk);
    receiver.write?.(file, chunk);
  }
  if (hash.digest("hex") !== sha256) throw new DamagedError(`the checksum of ${file} differs`);
  await source.skip(paddingOf(bytes));
}

function readHeader(block: Buffer): TarEntry | undefined {
  try {
    return decodeHeader(block);
  } catch {
    throw new DamagedError("an entry has no valid header");
  }
}

/** Reads to the last byte, because the checksum of gzip is at the end. */
async function readEnd(source: ByteSource): Promise<void> {
  if (readHeader(await source.read(blockSize)) !== undefined)
    throw new DamagedError("it has unknown entries");
  await source.drain();
}

/** Reads a stream in parts of given sizes. */
class ByteSource {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  async *stream(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (this.rest.length === 0 && !(await this.advance())) throw new DamagedError("it ends too early");
      const part = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.stream(bytes)) parts.push(part);
    return Buffer.concat(parts);
  }

  async skip(bytes: number): Promise<void> {
    await this.read(bytes);
  }

  async drain(): Promise<void> {
    while (await this.advance());
  }

  private async advance(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    this.rest = done ? Buffer.alloc(0) : value;
    return !done;
  }
}
