import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
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

/** Fields as text, files streamed to disk, so that an upload never stands in memory whole. */
export async function readMultipart(
  request: IncomingMessage,
  response: ObservedResponse,
  limit: number,
): Promise<Record<string, unknown>> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw BODY_TOO_LARGE(limit);
  const parser = createParser(request, limit);
  const fields = new FieldSet();
  const writes: Promise<void>[] = [];
  let folder: Promise<string> | undefined;

  async function store(field: string, content: Readable, name: string, type: string): Promise<void> {
    folder ??= temporaryFolder(response);
    const path = join(await folder, String(writes.length));
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(content, file);
    fields.add(field, describeFile(path, name, type, file.bytesWritten));
  }

  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => {
      request.unpipe(parser);
      request.resume();
      reject(cause instanceof ApiError ? cause : BODY_MALFORMED.with({ cause }, "multipart", cause.message));
    };
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(BODY_TOO_LARGE(limit));
    });
    request.on("error", (cause) => reject(BODY_INTERRUPTED.with({ cause })));
    request.on("close", () => request.complete || reject(BODY_INTERRUPTED()));
    parser.on("field", (field, value) => attempt(() => fields.add(field, value), fail));
    parser.on("file", (field, content, name, _encoding, type) => {
      writes.push(store(field, content, name, type));
      writes.at(-1)!.catch(fail);
    });
    for (const event of ["fieldsLimit", "filesLimit", "partsLimit"] as const) {
      parser.on(event, () => fail(BODY_MALFORMED("multipart", "it has too many parts")));
    }
    parser.on("error", fail);
    parser.on("finish", resolve);
    request.pipe(parser);
  });
  await Promise.all(writes);
  return fields.values;
}

function createParser(request: IncomingMessage, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { ...limits, fieldSize: limit, fileSize: limit },
    });
  } catch (cause) {
    throw BODY_MALFORMED.with({ cause }, "multipart", (cause as Error).message);
  }
}

async function temporaryFolder(response: ObservedResponse): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "annex-upload-"));
  const remove = () => void rm(folder, { recursive: true, force: true }).catch(() => {});
  if (response.destroyed) remove();
  else response.once("close", remove);
  return folder;
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

function attempt(work: () => void, fail: (error: Error) => void): void {
  try {
    work();
  } catch (error) {
    fail(error as Error);
  }
}
