/**
 * A regular expression as a tree. The part that matches one character is stored as source text, with the flags of the
 * groups around it. The parts of a lookbehind are in the order in which the engine matches them, from right to left.
 */
export type PatternNode =
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly inner: PatternNode; readonly min: number; readonly max: number }
  /** Matches no characters: `^`, `\b`, a back-reference or a lookaround, which has an inner pattern. */
  | { readonly kind: "assertion"; readonly inner?: PatternNode };

const assertion = /^(?:\^|\$|\\b|\\B|\\[1-9]\d*|\\k<[^>]*>)/iu;
const character =
  /^(?:\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|[^()|])/isu;
const groupStart = /^\((?:\?(?:<?[=!]|<[^>]*>|([a-z-]*):))?/iu;
const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/u;

/** Parses a pattern that is valid with the flag `u`. */
export function parsePattern(pattern: string): PatternNode {
  let rest = pattern;
  /** Wraps the source of a character in the groups around it that change flags: `(?i:a)`. */
  let withFlags = (source: string) => source;

  function take(token: RegExp): RegExpExecArray | undefined {
    const found = token.exec(rest) ?? undefined;
    if (found) rest = rest.slice(found[0].length);
    return found;
  }

  function readChoice(): PatternNode {
    const options = [readSequence()];
    while (rest.startsWith("|")) {
      rest = rest.slice(1);
      options.push(readSequence());
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  function readSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (rest !== "" && !/^[|)]/.test(rest)) parts.push(repeated(readTerm()));
    return { kind: "sequence", parts };
  }

  function readTerm(): PatternNode {
    if (take(assertion)) return { kind: "assertion" };
    const group = take(groupStart);
    if (!group) return { kind: "character", source: withFlags(take(character)![0]) };
    const [start, flags] = group;
    const inner = flags ? readWithFlags(flags) : readChoice();
    rest = rest.slice(1);
    if (!/[=!]$/.test(start)) return inner;
    return { kind: "assertion", inner: start.startsWith("(?<") ? reversed(inner) : inner };
  }

  function readWithFlags(flags: string): PatternNode {
    const outer = withFlags;
    withFlags = (source) => outer(`(?${flags}:${source})`);
    const inner = readChoice();
    withFlags = outer;
    return inner;
  }

  function repeated(inner: PatternNode): PatternNode {
    const [, sign, least, comma, most] = take(quantifier) ?? [];
    if (sign) return { kind: "repeat", inner, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    if (least === undefined) return inner;
    const max = comma === "" ? Number(least) : most === "" ? Infinity : Number(most);
    return { kind: "repeat", inner, min: Number(least), max };
  }

  return readChoice();
}

function reversed(node: PatternNode): PatternNode {
  switch (node.kind) {
    case "sequence":
      return { kind: "sequence", parts: node.parts.map(reversed).reverse() };
    case "choice":
      return { kind: "choice", options: node.options.map(reversed) };
    case "repeat":
      return { ...node, inner: reversed(node.inner) };
    default:
      return node;
  }
}
