import type { IncomingHttpHeaders } from "node:http";

/** The headers that describe the body of a request. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  readonly encoding: string | undefined;
  /** The declared length. 0 if there is none. */
  readonly length: number;
  readonly isChunked: boolean;
}

/** Reads the headers that Node has parsed, including changes by middleware. */
export function readBodyHeaders(headers: IncomingHttpHeaders): BodyHeaders {
  return {
    contentType: headers["content-type"],
    encoding: headers["content-encoding"],
    length: Number(headers["content-length"] ?? 0),
    isChunked: headers["transfer-encoding"] !== undefined,
  };
}

/** Reads the headers as sent. Much cheaper, because Node does not have to parse all headers. */
export function readRawBodyHeaders(rawHeaders: readonly string[]): BodyHeaders {
  let contentType: string | undefined;
  let encoding: string | undefined;
  let length = 0;
  let isChunked = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    // Comparing lengths first is cheaper than converting each name to lower case.
    if (name.length === 12 && name.toLowerCase() === "content-type") contentType ??= value;
    else if (name.length === 14 && name.toLowerCase() === "content-length") length ||= Number(value);
    else if (name.length === 16 && name.toLowerCase() === "content-encoding") encoding ??= value;
    else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") isChunked = true;
  }
  return { contentType, encoding, length, isChunked };
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
