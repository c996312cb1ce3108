/** Formats a request as a curl command. */

import { redacted } from "../data/redacted.ts";

export interface Header {
  readonly name: string;
  readonly value: string;
}

interface CurlRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
}

export interface Curl {
  readonly command: string;
  /** Names of headers whose values are incomplete: redacted or truncated. */
  readonly leftOut: readonly string[];
}

/** Headers that curl sets itself, or that belong to the connection. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "x-trace-id",
]);

export function toCurl({ origin, method, path, headers }: CurlRequest): Curl {
  const others = headers.filter(({ name }) => !ownHeaders.has(name.toLowerCase()));
  const isKnown = ({ value }: Header) => !value.includes(redacted) && !value.endsWith("…");
  const compresses = headers.some(({ name }) => name.toLowerCase() === "accept-encoding");
  const lines = [
    `curl ${[...methodFlags(method), ...pathFlags(path), ...(compresses ? ["--compressed"] : [])].join(" ")}`.trim(),
    // `Name;` sends a header with an empty value; `Name:` would remove the header.
    ...others
      .filter(isKnown)
      .map(({ name, value }) => `-H ${quoteShell(value === "" ? `${name};` : `${name}: ${value}`)}`),
    quoteShell(origin + path),
  ];
  return {
    command: lines.join(" \\\n  "),
    leftOut: others.filter((header) => !isKnown(header)).map(({ name }) => name),
  };
}

function methodFlags(method: string): string[] {
  if (method === "GET") return [];
  return method === "HEAD" ? ["--head"] : ["-X", quoteShell(method)];
}

/** Curl interprets brackets and normalizes dot segments unless these flags are set. */
function pathFlags(path: string): string[] {
  return [
    ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
    ...(/\/\.{1,2}(\/|$)/.test(path) ? ["--path-as-is"] : []),
  ];
}

/** Quotes any text as one shell word. */
export function quoteShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
