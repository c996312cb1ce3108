/** Longer text is truncated. */
const maxTextLength = 512;

/** Returns the beginning of a text as a copy; a slice would retain the whole string. */
export function cutText(text: string, length = maxTextLength): string {
  if (text.length <= length) return text;
  return `${Buffer.from(text.slice(0, length).toWellFormed()).toString()}…`;
}
