import { isUtf8 } from "node:buffer";
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

export interface BodyOptions {
  readonly limit: number;
  /** Applies to each step that waits: reading, parsing as multipart, and validation. */
  readonly deadline: ProgressDeadline;
}

/** A request body. It is read on demand and only once, with a size limit and a timeout. */
export class Body {
  limit: number;
  /** The value that was returned without validation. */
  given: unknown = undefined;
  private readonly response: ObservedResponse;
  private readonly deadline: ProgressDeadline;
  private reading: Promise<Buffer> | undefined = undefined;
  private parsing: Promise<unknown> | undefined = undefined;

  constructor(response: ObservedResponse, { limit, deadline }: BodyOptions) {
    this.response = response;
    this.limit = limit;
    this.deadline = deadline;
  }

  bytes(): Promise<Buffer> {
    this.reading ??= this.read();
    return this.reading;
  }

  async text(): Promise<string> {
    assertPlain(this.response);
    return decode(await this.bytes());
  }

  value(): Promise<unknown> {
    this.parsing ??= this.parse();
    return this.parsing;
  }

  async validated<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>> {
    const { deadline } = this;
    const result = await runSchema(schema, await this.value(), { part: "request body", deadline });
    if (result.issues) throw BODY_INVALID.with({ data: problemsByField(result.issues, "body") });
    return result.value;
  }

  private read(): Promise<Buffer> {
    const { response, limit, deadline } = this;
    if (!hasBody(response)) return Promise.resolve(Buffer.alloc(0));
    try {
      assertReadable(response, limit);
    } catch (error) {
      return Promise.reject(error);
    }
    return readAll(response, limit, deadline);
  }

  private async parse(): Promise<unknown> {
    const { response } = this;
    const header = contentTypeOf(response) ?? "";
    const { type, charset } = parseContentType(header);
    if (!hasBody(response)) throw BODY_EMPTY();
    if (type === "multipart/form-data") return this.parseMultipart();
    const isJson = type === "application/json" || type.endsWith("+json");
    const isForm = type === "application/x-www-form-urlencoded";
    if (!(isJson || isForm) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
      throw UNSUPPORTED_MEDIA_TYPE(header);
    }
    assertPlain(response);
    const text = decode(await this.bytes());
    if (text === "") throw BODY_EMPTY();
    return isJson ? parseJson(text) : parseForm(text);
  }

  private async parseMultipart(): Promise<unknown> {
    const { response, limit, deadline, reading } = this;
    assertPlain(response);
    if (reading === undefined) assertReadable(response, limit);
    const source = reading === undefined ? response.req : Readable.from([await reading]);
    return readMultipart({ source, headers: response.req.headers, response, limit, deadline });
  }
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

/** The content type of the request. */
export function contentTypeOf(response: ObservedResponse): string | undefined {
  return response.observed.currentHeader("content-type");
}

// Node may not emit `end` for a request without a body, so the headers are checked instead.
export function hasBody(response: ObservedResponse): boolean {
  return lengthOf(response) > 0 || isChunked(response);
}

/** The declared length of the request body. 0 if there is none. */
function lengthOf({ observed }: ObservedResponse): number {
  return Number(observed.currentHeader("content-length") ?? 0);
}

function isChunked({ observed }: ObservedResponse): boolean {
  return observed.currentHeader("transfer-encoding") !== undefined;
}

/** Rejects bodies that cannot contain files. Bodies without a content type are rejected when they are parsed. */
export function assertMultipart(response: ObservedResponse): void {
  const header = contentTypeOf(response);
  if (header === undefined || parseContentType(header).type === "multipart/form-data") return;
  throw UNEXPECTED_MEDIA_TYPE(header, "multipart/form-data");
}

/** Rejects compressed bodies, which could expand beyond any limit. `readBytes` returns them unchanged. */
function assertPlain({ observed }: ObservedResponse): void {
  const encoding = observed.currentHeader("content-encoding");
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw CONTENT_ENCODING_UNSUPPORTED.with({ headers: { "Accept-Encoding": "identity" } }, encoding);
}

function assertReadable(response: ObservedResponse, limit: number): void {
  const { req } = response;
  if (req.readableDidRead) throw BODY_ALREADY_READ();
  if (req.destroyed) throw BODY_INTERRUPTED();
  if (lengthOf(response) > limit) throw BODY_TOO_LARGE(limit);
}

/** Not an async function, because it runs for every request with a body. */
function readAll(response: ObservedResponse, limit: number, deadline: ProgressDeadline): Promise<Buffer> {
  const request = response.req;
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
  const expected = isChunked(response) ? Number.POSITIVE_INFINITY : lengthOf(response);
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
