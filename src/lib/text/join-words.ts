/** "a", "a and b", "a, b and c". */
export function joinWords(list: readonly string[]): string {
  return [list.slice(0, -1).join(", "), ...list.slice(-1)].filter((part) => part !== "").join(" and ");
}
