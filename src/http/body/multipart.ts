import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BusboyHeaders, BusboyInstance } from "@fastify/busboy";
import { ApiError } from "../../lib/errors/errors.ts";
import { BODY_INTERRUPTED, BODY_MALFORMED, BODY_TOO_LARGE, bodyTimeout } from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { FieldSet, maxFields } from "./body-formats.ts";
import type { ProgressDeadline } from "./progress-deadline.ts";

/** A file of a multipart body, stored in a temporary folder until the response has been sent. */
export interface UploadedFile {
  /** The file name from the client, without a path. */
  readonly name: string;
  /** The content type from the client. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** The path of the temporary file. Move or copy it to keep it. */
  readonly path: string;
  /** Reads the file as a stream. */
  stream(): Readable;
  /** Reads the whole file. */
  bytes(): Promise<Uint8Array>;
}

const require = createRequire(import.meta.url);

const limits = {
  fields: maxFields,
  files: 100,
  parts: maxFields,
  fieldNameSize: 200,
  headerPairs: 100,
  headerSize: 16_384,
};

export interface MultipartSource {
  /** The source of the bytes: the request, or its body if it has already been read. */
  source: Readable;
  headers: IncomingHttpHeaders;
  response: ObservedResponse;
  limit: number;
  deadline: ProgressDeadline;
}

/** Parses a multipart body. Fields are text. Files are streamed to disk, so an upload is never in memory as a whole. */
export async function readMultipart(options: MultipartSource): Promise<Record<string, unknown>> {
  const { source, headers, response, limit, deadline } = options;
  const parser = createParser(headers, limit);
  const uploads = createUploads(response);
  const received = countBytes(source);
  try {
    return await deadline(collectFields({ source, parser, uploads, received, limit }), {
      progress: () => received.bytes + uploads.bytesWritten(),
      timeoutError: bodyTimeout,
    });
  } catch (error) {
    uploads.stop();
    // The remaining bytes are discarded as they arrive, so that the client can read the response.
    source.unpipe(parser);
    source.resume();
    throw explainFailure(error as NodeJS.ErrnoException);
  }
}

interface Collecting {
  readonly source: Readable;
  readonly parser: BusboyInstance;
  readonly uploads: Uploads;
  readonly received: { readonly bytes: number };
  readonly limit: number;
}

async function collectFields(collecting: Collecting): Promise<Record<string, unknown>> {
  const fields = new FieldSet();
  for (const { name, value } of await collectParts(collecting)) fields.add(name, await value);
  return fields.values;
}

interface Part {
  readonly name: string;
  readonly value: string | Promise<UploadedFile>;
}

function collectParts(collecting: Collecting): Promise<Part[]> {
  const { source, parser, uploads, received, limit } = collecting;
  const parts: Part[] = [];
  return new Promise((resolve, reject) => {
    source.on("data", () => {
      if (received.bytes > limit) reject(BODY_TOO_LARGE(limit));
    });
    source.on("error", (cause) => reject(BODY_INTERRUPTED.with({ cause })));
    source.on("close", () => source.readableEnded || reject(BODY_INTERRUPTED()));
    onStuck(collecting, () => reject(BODY_MALFORMED("multipart", "a part has no valid header block")));
    parser.on("field", (name, value) => parts.push({ name, value }));
    parser.on("file", (name, content, filename, _encoding, type) => {
      // The parser may fail before the file is open.
      content.on("error", reject);
      const value = uploads.store(content, filename ?? "", type);
      value.catch(reject);
      parts.push({ name, value });
    });
    for (const event of ["fieldsLimit", "filesLimit", "partsLimit"] as const) {
      parser.on(event, () => reject(BODY_MALFORMED("multipart", "it has too many parts")));
    }
    parser.on("error", reject);
    parser.on("finish", () => resolve(parts));
    source.pipe(parser);
  });
}

/**
 * Calls back when the parser is stuck. The parser never finishes if a part has no header block, and never requests more
 * data after a long part without a name. Only writing files takes time; everything else completes within one turn of
 * the event loop. So if no file is being written, a parser that is full or at its end is stuck.
 */
function onStuck({ source, parser, uploads }: Collecting, report: () => void): void {
  let isChecking = false;
  async function check() {
    if (isChecking) return;
    isChecking = true;
    await uploads.idle();
    isChecking = false;
    if (source.readableEnded || parser.writableNeedDrain) report();
  }
  source.on("pause", check);
  source.on("end", check);
}

function countBytes(source: Readable): { readonly bytes: number } {
  const received = { bytes: 0 };
  source.on("data", (chunk: Buffer) => {
    received.bytes += chunk.length;
  });
  return received;
}

function createParser(headers: IncomingHttpHeaders, limit: number): BusboyInstance {
  // Loaded with the first upload, and synchronously: while waiting, events of the request would be missed.
  const { Busboy } = require("@fastify/busboy") as typeof import("@fastify/busboy");
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { ...limits, fieldSize: limit, fileSize: limit },
    });
  } catch (cause) {
    throw BODY_MALFORMED.with({ cause }, "multipart", (cause as Error).message);
  }
}

/** Parser errors are caused by the client, file system errors are not. */
function explainFailure(error: NodeJS.ErrnoException): Error {
  if (error instanceof ApiError || error.syscall !== undefined) return error;
  return BODY_MALFORMED.with({ cause: error }, "multipart", error.message);
}

interface Uploads {
  store(content: Readable, name: string, type: string): Promise<UploadedFile>;
  /** Resolves when no file is being written and the parser has had a turn to start the next one. */
  idle(): Promise<void>;
  bytesWritten(): number;
  stop(): void;
}

/** The files of one request. Their folder is created with the first file and removed after the response. */
function createUploads(response: ObservedResponse): Uploads {
  const stopping = new AbortController();
  const writes: Promise<unknown>[] = [];
  const files: WriteStream[] = [];
  let folder: Promise<string> | undefined;

  function openFolder(): Promise<string> {
    if (folder === undefined) {
      folder = mkdtemp(join(tmpdir(), "annex-upload-"));
      response.once("close", remove);
    }
    return folder;
  }

  async function remove(): Promise<void> {
    await Promise.allSettled(writes);
    try {
      await rm(await folder!, { recursive: true, force: true });
    } catch {
      // Creating the folder failed, or the system will clean up its temporary folder.
    }
  }

  async function write(content: Readable, index: number, name: string, type: string): Promise<UploadedFile> {
    const path = join(await openFolder(), String(index));
    stopping.signal.throwIfAborted();
    const file = createWriteStream(path, { mode: 0o600 });
    files.push(file);
    await pipeline(content, file, { signal: stopping.signal });
    return describeFile(path, name, type, file.bytesWritten);
  }

  async function idle(): Promise<void> {
    for (let seen = -1; seen < writes.length; ) {
      seen = writes.length;
      await Promise.allSettled(writes);
      await nextTurn();
    }
  }

  return {
    store(content, name, type) {
      const written = write(content, writes.length, name, type);
      writes.push(written);
      return written;
    },
    idle,
    bytesWritten: () => files.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    stop: () => stopping.abort(),
  };
}

function describeFile(path: string, name: string, type: string, size: number): UploadedFile {
  return {
    name,
    type,
    size,
    path,
    stream: () => createReadStream(path),
    bytes: () => readFile(path),
  };
}
