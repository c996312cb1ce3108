/** More would not be readable. */
const maxAlternatives = 16;

/**
 * The patterns of a regular expression, with the names of its groups. Express converts paths to regular
 * expressions and forgets them. Those that a person wrote may have no patterns; then the result is the expression.
 */
export function describeRegExp(regexp: RegExp, names: readonly string[]): string[] {
  try {
    const reader = new RegExpReader(regexp.source, names);
    const patterns = reader.readAlternatives();
    if (reader.isAtEnd && patterns.length <= maxAlternatives) return [...new Set(patterns)];
  } catch (error) {
    if (!(error instanceof UnknownSyntax)) throw error;
  }
  return [`/(${regexp.source})`];
}

class UnknownSyntax extends Error {}

/** Reads the part of the syntax that Express generates: text, groups, anchors and optional parts. */
class RegExpReader {
  private readonly source: string;
  private readonly names: readonly string[];
  private position = 0;
  private groups = 0;

  constructor(source: string, names: readonly string[]) {
    this.source = source;
    this.names = names;
  }

  get isAtEnd(): boolean {
    return this.position === this.source.length;
  }

  readAlternatives(): string[] {
    const found = this.readSequence();
    while (this.skip("|")) found.push(...this.readSequence());
    return found;
  }

  private readSequence(): string[] {
    let found = [""];
    while (!this.isAtEnd && !this.at("|") && !this.at(")")) {
      const term = this.readTerm();
      if (term.length > 1 && found.length * term.length > maxAlternatives) throw new UnknownSyntax();
      found = found.flatMap((before) => term.map((after) => before + after));
    }
    return found;
  }

  private readTerm(): string[] {
    if (this.skip("^") || this.skip("$")) return [""];
    if (this.skip("(?=") || this.skip("(?!")) {
      this.skipGroup();
      return [""];
    }
    if (this.skip("(?:")) {
      const start = this.position;
      const inner = this.readAlternatives();
      const isEnding = this.source.slice(start, this.position).endsWith("$");
      if (!this.skip(")")) throw new UnknownSyntax();
      this.skip("?");
      // The slash that a path may end with.
      return isEnding ? [""] : inner;
    }
    if (this.skip("(")) return [this.readGroup()];
    const text = this.readCharacter();
    return this.skip("?") ? [""] : [text];
  }

  private readGroup(): string {
    const [given] = this.skip("?<") ? this.source.slice(this.position).split(">", 1) : [];
    const name = given ?? this.names[this.groups] ?? String(this.groups);
    this.groups++;
    const content = this.skipGroup();
    this.skip("?");
    // Such a group contains slashes.
    return /^(?:\.[*+]|\[\^\]\+)/.test(content) ? `{${name}...}` : `{${name}}`;
  }

  /** Skips the rest of a group, and returns it. */
  private skipGroup(): string {
    const start = this.position;
    for (let depth = 1; !this.isAtEnd; this.position++) {
      if (this.at("\\")) this.position++;
      else if (this.at("[")) this.position = this.source.indexOf("]", this.position);
      else if (this.at("(")) depth++;
      else if (this.at(")") && --depth === 0) {
        this.position++;
        return this.source.slice(start, this.position - 1);
      }
      if (this.position < start) break;
    }
    throw new UnknownSyntax();
  }

  private readCharacter(): string {
    const isEscaped = this.skip("\\");
    const character = this.source[this.position];
    if (character === undefined || (isEscaped ? /\w/ : /[.*+?[\]{}()]/).test(character))
      throw new UnknownSyntax();
    this.position++;
    if (this.at("*") || this.at("+") || this.at("{")) throw new UnknownSyntax();
    return character;
  }

  private at(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  private skip(text: string): boolean {
    if (!this.at(text)) return false;
    this.position += text.length;
    return true;
  }
}
