import type { RequestEvent } from "../event.ts";
import type { SentResponse } from "../sent-response.ts";
import { type ByteRange, parseRange } from "./byte-range.ts";
import { evaluateConditions, isRangeCurrent } from "./conditions.ts";
import { PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE } from "./errors.ts";
import { FilePart } from "./file-part.ts";
import type { OpenFile } from "./folder.ts";

export interface FileResponse {
  readonly file: OpenFile;
  readonly type: string;
  readonly cacheControl: string;
  /** The encoding of a precompressed file. */
  readonly encoding?: string;
}

const nothing = Buffer.alloc(0);

/** Sends a file or a part of it, or `304` if the client's copy is current. Closes the file. */
export async function sendFile(e: RequestEvent<never>, response: FileResponse): Promise<SentResponse> {
  const { content } = response.file;
  if (Buffer.isBuffer(content)) {
    const range = prepare(e, response);
    if (range === "unchanged") return e.bytes(304, response.type, nothing);
    return range === undefined
      ? e.bytes(200, response.type, content)
      : e.bytes(206, response.type, content.subarray(range.first, range.last + 1));
  }
  let isSent = false;
  try {
    const range = prepare(e, response);
    if (range === "unchanged") return e.bytes(304, response.type, nothing);
    const { first, last } = range ?? { first: 0, last: response.file.size - 1 };
    e.setHeader("Content-Length", last - first + 1);
    const part = new FilePart(content, { first, last });
    const sent = e.stream(range === undefined ? 200 : 206, response.type, part);
    isSent = true;
    return sent;
  } finally {
    if (!isSent) await content.close();
  }
}

/** Sets the headers, and determines which part of the file is to be sent. */
function prepare(
  e: RequestEvent<never>,
  { file, cacheControl, encoding }: FileResponse,
): ByteRange | "unchanged" | undefined {
  const { headers } = e.response.req;
  // Middleware can restrict caching, for example for files that need authentication.
  if (!e.response.hasHeader("Cache-Control")) e.setHeader("Cache-Control", cacheControl);
  e.setHeader("ETag", file.etag);
  e.setHeader("Last-Modified", file.lastModified);
  const outcome = evaluateConditions(headers, file);
  if (outcome === "failed") throw PRECONDITION_FAILED();
  if (outcome === "unchanged") return "unchanged";
  e.setHeader("Accept-Ranges", "bytes");
  if (encoding !== undefined) e.setHeader("Content-Encoding", encoding);
  const range =
    e.method === "GET" && headers.range !== undefined ? readRange(e, headers.range, file) : undefined;
  if (range !== undefined) e.setHeader("Content-Range", `bytes ${range.first}-${range.last}/${file.size}`);
  return range;
}

function readRange(e: RequestEvent<never>, header: string, file: OpenFile): ByteRange | undefined {
  if (!isRangeCurrent(e.header("if-range"), file)) return undefined;
  const range = parseRange(header, file.size);
  if (range !== "unsatisfiable") return range;
  throw RANGE_NOT_SATISFIABLE.with({ headers: { "Content-Range": `bytes */${file.size}` } }, file.size);
}
