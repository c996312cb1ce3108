/** Of a longer text only the beginning is kept. */
const maxTextLength = 512;

/** The beginning of a text, as a text of its own: a slice would keep the whole alive. */
export function cutText(text: string, length = maxTextLength): string {
  if (text.length <= length) return text;
  return `${Buffer.from(text.slice(0, length).toWellFormed()).toString()}…`;
}
