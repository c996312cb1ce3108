/** Characters that are not visible or change the direction of the text around them. */
const controls = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Shows control characters as escapes: a right-to-left override would reverse the rest of the line. */
export function showControls(text: string): string {
  return text.replace(controls, (character) => {
    if (character === "\n" || character === "\t") return " ";
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
  });
}
