/**
 * Says whether a path fits one of the patterns, in which `*` stands for any run of letters. Matched by hand: a regular
 * expression made of stars can take forever on the right path.
 */
export function createPathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.map((pattern) => pattern.split("*"));
  return (path) => all.some((texts) => fits(texts, path));
}

/** The texts between the stars are taken where they first occur: if any place fits, the first one does. */
function fits(texts: readonly string[], path: string): boolean {
  const first = texts[0]!;
  const last = texts.at(-1)!;
  if (texts.length === 1) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (let index = 1; index < texts.length - 1; index++) {
    const found = path.indexOf(texts[index]!, at);
    if (found === -1) return false;
    at = found + texts[index]!.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
