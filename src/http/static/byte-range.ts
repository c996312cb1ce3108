/** A part of a file. Both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a Range header for a file of the given size. Returns `undefined` if the whole file is to be sent: for several
 * ranges, other units and malformed values, which a server may ignore (RFC 9110, section 14.2).
 */
export function parseRange(header: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header.trim()) ?? [];
  if (suffix !== undefined) return within(size - Number(suffix), size - 1, size, Number(suffix) > 0);
  if (first === undefined) return undefined;
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < Number(first)) return undefined;
  return within(Number(first), end, size, true);
}

function within(
  first: number,
  last: number,
  size: number,
  isSatisfiable: boolean,
): ByteRange | "unsatisfiable" {
  if (!isSatisfiable || size === 0 || first >= size) return "unsatisfiable";
  return { first: Math.max(first, 0), last: Math.min(last, size - 1) };
}
