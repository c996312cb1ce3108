import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { problemsByField } from "../../lib/schema-problems.ts";
import {
  BODY_ALREADY_READ,
  BODY_EMPTY,
  BODY_INTERRUPTED,
  BODY_INVALID,
  BODY_MALFORMED,
  BODY_TOO_LARGE,
  bodyTimeout,
  CONTENT_ENCODING_UNSUPPORTED,
  UNEXPECTED_MEDIA_TYPE,
  UNSUPPORTED_MEDIA_TYPE,
} from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { parseForm, parseJson } from "./body-formats.ts";
import { readMultipart } from "./multipart.ts";
import type { ProgressDeadline } from "./progress-deadline.ts";
import { runSchema } from "./run-schema.ts";

/** A request body. It is read on demand and only once, with a size limit and a timeout. */
export interface Body {
  limit: number;
  /** The value that was returned without validation. */
  given: unknown;
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  value(): Promise<unknown>;
  validated<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>>;
}

export interface BodyOptions {
  readonly request: IncomingMessage;
  readonly response: ObservedResponse;
  readonly limit: number;
  /** Applies to each step that waits: reading, parsing as multipart, and validation. */
  readonly deadline: ProgressDeadline;
}

export function createBody({ request, response, limit, deadline }: BodyOptions): Body {
  let bytes: Promise<Buffer> | undefined;
  let value: Promise<unknown> | undefined;
  const body: Body = {
    limit,
    given: undefined,
    bytes() {
      bytes ??= read();
      return bytes;
    },
    async text() {
      assertPlain(request);
      return decode(await body.bytes());
    },
    value() {
      value ??= parse();
      return value;
    },
    async validated(schema) {
      const result = await runSchema(schema, await body.value(), { part: "request body", deadline });
      if (result.issues) throw BODY_INVALID.with({ data: problemsByField(result.issues, "body") });
      return result.value;
    },
  };

  function read(): Promise<Buffer> {
    if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
    try {
      assertReadable(request, body.limit);
    } catch (error) {
      return Promise.reject(error);
    }
    return readAll(request, body.limit, deadline);
  }

  async function parse(): Promise<unknown> {
    const header = request.headers["content-type"] ?? "";
    const { type, charset } = parseContentType(header);
    if (!hasBody(request)) throw BODY_EMPTY();
    if (type === "multipart/form-data") return parseMultipart();
    const isJson = type === "application/json" || type.endsWith("+json");
    const isForm = type === "application/x-www-form-urlencoded";
    if (!(isJson || isForm) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
      throw UNSUPPORTED_MEDIA_TYPE(header);
    }
    assertPlain(request);
    const text = decode(await body.bytes());
    if (text === "") throw BODY_EMPTY();
    return isJson ? parseJson(text) : parseForm(text);
  }

  async function parseMultipart(): Promise<unknown> {
    assertPlain(request);
    const { headers } = request;
    if (bytes === undefined) assertReadable(request, body.limit);
    const source = bytes === undefined ? request : Readable.from([await bytes]);
    return readMultipart({ source, headers, response, limit: body.limit, deadline });
  }

  return body;
}

/** Parses `application/json; charset="UTF-8"`. The parts are in lower case. */
export function parseContentType(header: string): { type: string; charset: string | undefined } {
  // Almost every request with a body.
  if (header === "application/json") return { type: header, charset: undefined };
  const [type = "", ...parameters] = header.toLowerCase().split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return { type: type.trim(), charset };
}

// Node may not emit `end` for a request without a body, so the headers are checked instead.
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Rejects bodies that cannot contain files. Bodies without a content type are rejected when they are parsed. */
export function assertMultipart({ headers }: IncomingMessage): void {
  const header = headers["content-type"];
  if (header === undefined || parseContentType(header).type === "multipart/form-data") return;
  throw UNEXPECTED_MEDIA_TYPE(header, "multipart/form-data");
}

/** Rejects compressed bodies, which could expand beyond any limit. `readBytes` returns them unchanged. */
function assertPlain({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw CONTENT_ENCODING_UNSUPPORTED.with({ headers: { "Accept-Encoding": "identity" } }, encoding);
}

function assertReadable(request: IncomingMessage, limit: number): void {
  if (request.readableDidRead) throw BODY_ALREADY_READ();
  if (request.destroyed) throw BODY_INTERRUPTED();
  if (Number(request.headers["content-length"] ?? 0) > limit) throw BODY_TOO_LARGE(limit);
}

/** Not an async function, because it runs for every request with a body. */
function readAll(request: IncomingMessage, limit: number, deadline: ProgressDeadline): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isRefused = false;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const refuse = (error: unknown) => {
    // The remaining bytes are discarded as they arrive, so that the client can read the response.
    isRefused = true;
    chunks.length = 0;
    reject(error);
  };
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) refuse(BODY_TOO_LARGE(limit));
    else if (!isRefused) chunks.push(chunk);
  });
  request.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  request.on("error", (cause) => refuse(BODY_INTERRUPTED.with({ cause })));
  request.on("close", () => {
    // Creating an error is expensive, and every request is closed.
    if (!request.readableEnded) refuse(BODY_INTERRUPTED());
  });
  const expected = Number(request.headers["content-length"]);
  process.nextTick(() => {
    // A small body arrives together with its head. It needs no timer, which would cost as much as reading it.
    if (request.complete || size + request.readableLength >= expected) return;
    deadline(promise, { progress: () => size, timeoutError: bodyTimeout }).catch(refuse);
  });
  return promise;
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw BODY_MALFORMED("UTF-8", "it contains invalid bytes");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
