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
  BODY_NOT_OBJECT,
  BODY_TOO_LARGE,
  bodyTimeout,
  CONTENT_ENCODING_UNSUPPORTED,
  UNEXPECTED_MEDIA_TYPE,
  UNSUPPORTED_MEDIA_TYPE,
} from "../errors/errors.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { parseForm, parseJson } from "./body-formats.ts";
import { type BodyHeaders, parseContentType, readBodyHeaders, readRawBodyHeaders } from "./body-headers.ts";
import { readMultipart } from "./multipart.ts";
import type { ProgressDeadline } from "./progress-deadline.ts";
import { runSchema } from "./run-schema.ts";

export interface BodyOptions {
  readonly bodyLimit: number;
  /** Applies to each step that waits: reading, parsing as multipart, and validation. */
  readonly bodyDeadline: ProgressDeadline;
}

/** What the types of the handler say about the body. */
interface ExpectedBody {
  readonly takesFiles?: boolean;
  readonly takesObject?: boolean;
}

/** A request body. It is read on demand and only once, with a size limit and a timeout. */
export class Body {
  limit: number;
  /** The value that was returned without validation. */
  given: unknown = undefined;
  /** The parsed value, or `undefined` until then. */
  parsed: unknown = undefined;
  private readonly response: ObservedResponse;
  private readonly deadline: ProgressDeadline;
  private reading: Promise<Buffer> | undefined = undefined;
  private parsing: Promise<unknown> | undefined = undefined;
  private sentHeaders: BodyHeaders | undefined = undefined;

  constructor(response: ObservedResponse, { bodyLimit, bodyDeadline }: BodyOptions) {
    this.response = response;
    this.limit = bodyLimit;
    this.deadline = bodyDeadline;
  }

  get headers(): BodyHeaders {
    const { observed } = this.response;
    if (observed.isExposed) return readBodyHeaders(observed.request.headers);
    this.sentHeaders ??= readRawBodyHeaders(observed.rawHeaders);
    return this.sentHeaders;
  }

  // Node may not emit `end` for a request without a body, so the headers are checked instead.
  get isEmpty(): boolean {
    const { length, isChunked } = this.headers;
    return !(length > 0 || isChunked);
  }

  bytes(): Promise<Buffer> {
    this.reading ??= this.read();
    return this.reading;
  }

  async text(): Promise<string> {
    this.assertPlain();
    return decode(await this.bytes());
  }

  value(): Promise<unknown> {
    this.parsing ??= this.parse();
    return this.parsing;
  }

  /** The value as sent. Rejects `null`, which has no fields to read. A schema can allow it. */
  async unvalidated(expected: ExpectedBody): Promise<unknown> {
    if (expected.takesFiles) this.assertMultipart();
    const value = this.parsed ?? (await this.value());
    const isObject = typeof value === "object" && !Array.isArray(value);
    if (value === null || (expected.takesObject && !isObject)) throw BODY_NOT_OBJECT();
    this.given = value;
    return value;
  }

  async validated<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>> {
    const { deadline } = this;
    const result = await runSchema(schema, await this.value(), { part: "request body", deadline });
    if (result.issues) throw BODY_INVALID.with({ data: problemsByField(result.issues, "body") });
    return result.value;
  }

  /** Rejects bodies that cannot contain files. Bodies without a content type are rejected when they are parsed. */
  private assertMultipart(): void {
    const { contentType } = this.headers;
    if (contentType === undefined || parseContentType(contentType).type === "multipart/form-data") return;
    throw UNEXPECTED_MEDIA_TYPE(contentType, "multipart/form-data");
  }

  private read(): Promise<Buffer> {
    if (this.isEmpty) return Promise.resolve(Buffer.alloc(0));
    try {
      this.assertReadable();
    } catch (error) {
      return Promise.reject(error);
    }
    return this.readAll();
  }

  private async parse(): Promise<unknown> {
    const { contentType = "" } = this.headers;
    const { type, charset } = parseContentType(contentType);
    if (this.isEmpty) throw BODY_EMPTY();
    if (type === "multipart/form-data") return this.parseMultipart();
    const isJson = type === "application/json" || type.endsWith("+json");
    const isForm = type === "application/x-www-form-urlencoded";
    if (!(isJson || isForm) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
      throw UNSUPPORTED_MEDIA_TYPE(contentType);
    }
    this.assertPlain();
    const text = decode(await this.bytes());
    if (text === "") throw BODY_EMPTY();
    this.parsed = isJson ? parseJson(text) : parseForm(text);
    return this.parsed;
  }

  private async parseMultipart(): Promise<unknown> {
    const { response, limit, deadline, reading } = this;
    this.assertPlain();
    if (reading === undefined) this.assertReadable();
    const source = reading === undefined ? response.req : Readable.from([await reading]);
    return readMultipart({ source, headers: response.req.headers, response, limit, deadline });
  }

  /** Rejects compressed bodies, which could expand beyond any limit. `readBytes` returns them unchanged. */
  private assertPlain(): void {
    const { encoding } = this.headers;
    if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
    throw CONTENT_ENCODING_UNSUPPORTED.with({ headers: { "Accept-Encoding": "identity" } }, encoding);
  }

  private assertReadable(): void {
    const { req } = this.response;
    if (req.readableDidRead) throw BODY_ALREADY_READ();
    if (req.destroyed) throw BODY_INTERRUPTED();
    if (this.headers.length > this.limit) throw BODY_TOO_LARGE(this.limit);
  }

  /** Not an async function, because it runs for every request with a body. */
  private readAll(): Promise<Buffer> {
    const { limit, deadline } = this;
    const request = this.response.req;
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
    const { isChunked, length } = this.headers;
    const expected = isChunked ? Number.POSITIVE_INFINITY : length;
    process.nextTick(() => {
      // A small body arrives together with its head. It needs no timer, which would cost as much as reading it.
      if (request.complete || size + request.readableLength >= expected) return;
      deadline(promise, { progress: () => size, timeoutError: bodyTimeout }).catch(refuse);
    });
    return promise;
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw BODY_MALFORMED("UTF-8", "it contains invalid bytes");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
