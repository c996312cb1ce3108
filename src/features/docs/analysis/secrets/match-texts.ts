/** Shorter strings occur in others by chance. */
const shortestPart = 8;

/** Returns a function that checks whether a string equals or contains one of these. */
export function matchTexts(texts: readonly string[]): (text: string) => boolean {
  const whole = new Set(texts.filter((text) => text !== ""));
  const parts = [...whole].filter((text) => text.length >= shortestPart);
  return (text) => whole.has(text) || parts.some((part) => text.includes(part));
}
