/** Whether a path may begin like one of the given ones. It may return true for others, but never false for these. */
export type PathTest = (path: string) => boolean;

/**
 * A quick test before a search for a route, for servers whose requests are mostly for other routes. It compares the
 * first two segments. Patterns may contain placeholders.
 */
export function createHeadTest(patterns: readonly string[]): PathTest {
  const heads = new Set<string>();
  for (const pattern of patterns) {
    const [, first = "", second = "{none}"] = pattern.split("/", 3);
    if (first.startsWith("{")) return () => true;
    heads.add(second.startsWith("{") ? `/${first}` : `/${first}/${second}`);
  }
  return (path) => {
    const first = path.indexOf("/", 1);
    if (first === -1) return heads.has(path) || path.includes("%");
    if (heads.has(path.slice(0, first))) return true;
    const second = path.indexOf("/", first + 1);
    return heads.has(second === -1 ? path : path.slice(0, second)) || path.includes("%");
  };
}
