/**
 * JSON with a line for each value. It works on the text and never on what the text stands for, so that a number with
 * twenty digits stays what it was, and keys stay in their order. It stops when it has made `most` characters.
 */
export function indentJson(text: string, most = Number.POSITIVE_INFINITY): string {
  const tokens = text.matchAll(/"(?:\\.|[^"\\])*"|[^\s"{}[\]:,]+|[{}[\]:,]/g);
  let made = "";
  let depth = 0;
  let before = "";
  for (const [token] of tokens) {
    const opens = before === "{" || before === "[";
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    if (opens !== closes || before === ",") made += `\n${"  ".repeat(depth)}`;
    made += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    before = token;
    if (made.length > most) break;
  }
  return made;
}

/** What is wrong with a text that should be JSON; undefined when nothing is. */
export function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}.`;
  }
}
