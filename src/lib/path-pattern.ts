/**
 * Patterns of request paths: plain text, `*` for any characters and, as whole segments, `{name}` for one segment and
 * `{rest...}` for the remaining path. Regular expressions are not used, because one built from user input can take
 * exponential time. This takes at most the length of the pattern times that of the path.
 */
export interface PathPattern {
  matches(path: string): boolean;
  /** The start of every matching path. */
  readonly prefix: string;
  /** The longest text that every matching path contains. */
  readonly longest: string;
  /** Whether only the prefix itself matches. */
  readonly isExact: boolean;
}

/** Text, any characters, or the rest of a segment. */
type Part = string | typeof anything | typeof segment;

const anything = Symbol("anything");
const segment = Symbol("segment");
const placeholder = /^\{[A-Za-z_][A-Za-z0-9_]*(\.\.\.)?\}$/;

export function createPathPattern(text: string): PathPattern {
  const parts = parseParts(text);
  const texts = parts.filter((part) => typeof part === "string");
  return {
    matches: (path) => matchParts(parts, path),
    prefix: typeof parts[0] === "string" ? parts[0] : "",
    longest: texts.reduce((longest, each) => (each.length > longest.length ? each : longest), ""),
    isExact: parts.length === texts.length,
  };
}

function parseParts(text: string): Part[] {
  const parts: Part[] = [];
  const add = (part: Part) => {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "" && !(part === anything && last === anything)) parts.push(part);
  };
  for (const [index, piece] of text.split("/").entries()) {
    if (index > 0) add("/");
    const match = placeholder.exec(piece);
    if (match) add(match[1] === undefined ? segment : anything);
    else
      for (const [star, literal] of piece.split("*").entries()) {
        if (star > 0) add(anything);
        add(literal);
      }
  }
  return parts;
}

/**
 * Matches each part at its first position after the previous one. If a part does not match, only the last `anything`
 * needs to be extended: matching an earlier part at a later position never ends earlier.
 */
function matchParts(parts: readonly Part[], path: string): boolean {
  let index = 0;
  let at = 0;
  let retry: { index: number; at: number } | undefined;
  while (index < parts.length || at < path.length) {
    const part = parts[index];
    if (part === anything) {
      retry = { index: ++index, at };
      if (index === parts.length) return true;
      continue;
    }
    const end = part === undefined ? -1 : endOfPart(part, path, at);
    if (end !== -1) {
      at = end;
      index++;
      continue;
    }
    if (retry === undefined) return false;
    // `anything` is always followed by text, because a placeholder has a slash before it.
    retry.at = path.indexOf(parts[retry.index] as string, retry.at + 1);
    if (retry.at === -1) return false;
    ({ index, at } = retry);
  }
  return true;
}

/** The end of the part at this position, or −1 if it does not match. */
function endOfPart(part: string | typeof segment, path: string, at: number): number {
  if (typeof part === "string") return path.startsWith(part, at) ? at + part.length : -1;
  const slash = path.indexOf("/", at);
  const end = slash === -1 ? path.length : slash;
  return end > at ? end : -1;
}
