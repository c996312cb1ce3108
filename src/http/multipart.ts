import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { ApiError } from "../lib/errors.ts";
import { FieldSet } from "./body-formats.ts";
import { BODY_INTERRUPTED, BODY_MALFORMED, BODY_TOO_LARGE } from "./errors.ts";
import type { ObservedResponse } from "./observer.ts";

/** A file of a multipart body. It lies in a temporary folder until the request has been answered. */
export interface UploadedFile {
  /** The name that the client gave; never a path. */
  readonly name: string;
  /** The content type that the client gave. */
  readonly type: string;
  readonly size: number;
  /** Where it lies now. Move or copy it to keep it. */
  readonly path: string;
  stream(): Readable;
  bytes(): Promise<Uint8Array>;
}

const limits = {
  fields: 1000,
  files: 100,
  parts: 1000,
  fieldNameSize: 200,
  headerPairs: 100,
  headerSize: 16_384,
};

export interface MultipartSource {
  /** Where the bytes come from: the request, or its body when that has been read already. */
  source: Readable;
  headers: IncomingHttpHeaders;
  response: ObservedResponse;
  limit: number;
}

/** Fields as text, files streamed to disk, so that an upload never stands in memory whole. */
export async function readMultipart({
  source,
  headers,
  response,
  limit,
}: MultipartSource): Promise<Record<string, unknown>> {
  const parser = createParser(headers, limit);
  const uploads = createUploads(response);
  const parts: { name: string; value: string | Promise<UploadedFile> }[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      let size = 0;
      source.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) reject(BODY_TOO_LARGE(limit));
      });
      source.on("error", (cause) => reject(BODY_INTERRUPTED.with({ cause })));
      source.on("close", () => source.readableEnded || reject(BODY_INTERRUPTED()));
      parser.on("field", (name, value) => parts.push({ name, value }));
      parser.on("file", (name, content, filename, _encoding, type) => {
        // The parser may fail before the disk is ready to take the content.
        content.on("error", reject);
        const value = uploads.store(content, filename ?? "", type);
        value.catch(reject);
        parts.push({ name, value });
      });
      for (const event of ["fieldsLimit", "filesLimit", "partsLimit"] as const) {
        parser.on(event, () => reject(BODY_MALFORMED("multipart", "it has too many parts")));
      }
      parser.on("error", reject);
      parser.on("finish", resolve);
      source.pipe(parser);
    });
    const fields = new FieldSet();
    for (const { name, value } of parts) fields.add(name, await value);
    return fields.values;
  } catch (error) {
    uploads.stop();
    // The rest is let through unread, so that the client gets to see the answer.
    source.unpipe(parser);
    source.resume();
    throw explainFailure(error as NodeJS.ErrnoException);
  }
}

function createParser(headers: IncomingHttpHeaders, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { ...limits, fieldSize: limit, fileSize: limit },
    });
  } catch (cause) {
    throw BODY_MALFORMED.with({ cause }, "multipart", (cause as Error).message);
  }
}

/** What the parser finds wrong is the client's doing; what the disk refuses is not. */
function explainFailure(error: NodeJS.ErrnoException): Error {
  if (error instanceof ApiError || error.syscall !== undefined) return error;
  return BODY_MALFORMED.with({ cause: error }, "multipart", error.message);
}

/** The files of one request, in a folder that is made for the first of them and removed with the response. */
function createUploads(response: ObservedResponse): {
  store(content: Readable, name: string, type: string): Promise<UploadedFile>;
  stop(): void;
} {
  const stopping = new AbortController();
  const writes: Promise<unknown>[] = [];
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
      // The folder could not be made, or is left to the system, which empties its temporary folder.
    }
  }

  async function write(content: Readable, index: number, name: string, type: string): Promise<UploadedFile> {
    const path = join(await openFolder(), String(index));
    stopping.signal.throwIfAborted();
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(content, file, { signal: stopping.signal });
    return describeFile(path, name, type, file.bytesWritten);
  }

  return {
    store(content, name, type) {
      const written = write(content, writes.length, name, type);
      writes.push(written);
      return written;
    },
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
