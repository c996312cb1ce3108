/** A request as a command that sends it again. */

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
  /** The names of headers whose values are not known whole: they were redacted, or too long to be kept. */
  readonly leftOut: readonly string[];
}

/** What curl says by itself, or what belongs to the connection and not to the request. */
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
    // Curl sends its own where it is told nothing, and a request that had none is another request.
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

/** Curl has a meaning of its own for brackets, and tidies up dots. */
function pathFlags(path: string): string[] {
  return [
    ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
    ...(/\/\.{1,2}(\/|$)/.test(path) ? ["--path-as-is"] : []),
  ];
}

/** As one word of a shell, whatever is in it. */
export function quoteShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
