const words = new Intl.ListFormat("en-GB");

/** "a", "a and b", "a, b and c". */
export function joinWords(list: readonly string[]): string {
  return words.format(list);
}
