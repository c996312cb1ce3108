/**
 * A text that matches a regular expression, as short as possible. Undefined if none is found: lookarounds and back
 * references are not understood.
 */
export function patternExample(pattern: string): string | undefined {
  try {
    const made = new PatternReader(pattern).alternatives();
    return new RegExp(pattern, "u").test(made) ? made : undefined;
  } catch {
    return undefined;
  }
}

/** What a set of characters is likely to contain, best first. */
const likely = "a1A_- .@/:+#";
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

/** Reads a pattern from left to right, and writes one text that matches each part. */
class PatternReader {
  private readonly pattern: string;
  private at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  /** Writes the first alternative, and skips the others. */
  alternatives(): string {
    const first = this.sequence();
    while (this.take(/\|/y)) this.sequence();
    return first;
  }

  private sequence(): string {
    let made = "";
    while (this.at < this.pattern.length && !/[|)]/.test(this.pattern[this.at]!)) {
      const part = this.part();
      made += part.repeat(this.count());
    }
    return made;
  }

  private part(): string {
    if (this.take(/\^|\$|\\[bB]/y)) return "";
    const group = this.take(/\((\?(:|<?[=!]|<\w+>))?/y);
    if (group) {
      const made = this.alternatives();
      this.take(/\)/y);
      return /[=!]$/.test(group) ? "" : made;
    }
    const set = this.take(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x[\da-f]{2}|\\u[\da-f]{4}|\\c.|\\.|./isy)!;
    return characterOf(set);
  }

  /** The least number of repetitions that a quantifier allows. */
  private count(): number {
    const quantifier = this.take(/[?*+]\??|\{\d+(,\d*)?\}\??/y);
    if (!quantifier || quantifier[0] === "+") return 1;
    return quantifier[0] === "{" ? Number.parseInt(quantifier.slice(1), 10) : 0;
  }

  private take(part: RegExp): string | undefined {
    part.lastIndex = this.at;
    const found = part.exec(this.pattern)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

/** A character that a part of a pattern for one character matches. */
function characterOf(set: string): string {
  const expression = new RegExp(`^${set}$`, "u");
  return [...likely, ...printable].find((character) => expression.test(character)) ?? set;
}
