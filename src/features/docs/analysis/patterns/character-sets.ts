/** The characters that a part of a pattern matches, as a bit for each sample. */
export type CharacterSet = bigint;

/** Latin characters, and some that classes such as `\s`, `\p{L}` and `.` treat differently. */
const usual = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)),
  ..."ŸΩяא漢ا٣\u2028\u3000\ufeff😀",
];

/**
 * Evaluates the parts of a pattern with the regular expressions of the engine, so that their rules are not repeated here.
 * Besides the usual characters, the samples are those in the pattern and their neighbors, so that every range has some.
 */
export function createCharacterSets(pattern: string): (source: string) => CharacterSet {
  const samples = [...new Set([...usual, ...charactersIn(pattern)])];
  const known = new Map<string, CharacterSet>();
  return (source) => {
    const set = known.get(source) ?? evaluate(source, samples);
    known.set(source, set);
    return set;
  };
}

function evaluate(source: string, samples: readonly string[]): CharacterSet {
  const matcher = new RegExp(`^(?:${source})$`, "u");
  return BigInt(`0b${samples.map((sample) => (matcher.test(sample) ? 1 : 0)).join("")}`);
}

function charactersIn(pattern: string): string[] {
  const escaped = pattern.matchAll(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})/gi);
  const codes = [
    ...Array.from(pattern, (character) => character.codePointAt(0)!),
    ...Array.from(escaped, ([, long, short, byte]) => Number.parseInt((long ?? short ?? byte)!, 16)),
  ];
  return codes
    .flatMap((code) => [code - 1, code, code + 1])
    .filter((code) => code >= 0 && code <= 0x10_ffff)
    .map((code) => String.fromCodePoint(code));
}
