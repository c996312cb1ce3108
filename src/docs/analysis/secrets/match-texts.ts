/** Shorter texts are found in others by chance. */
const shortestPart = 8;

/** Tells whether a text is one of these or contains one. */
export function matchTexts(texts: readonly string[]): (text: string) => boolean {
  const whole = new Set(texts.filter((text) => text !== ""));
  const parts = [...whole].filter((text) => text.length >= shortestPart);
  return (text) => whole.has(text) || parts.some((part) => text.includes(part));
}
