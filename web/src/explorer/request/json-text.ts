/**
 * Indents JSON with one line per value. It works on the text and never parses it, so that numbers of any length and the
 * order of keys are preserved. Stops after `most` characters.
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

/** The syntax error of a JSON text; undefined if it is valid. */
export function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}.`;
  }
}
