/**
 * Escapes text for a terminal. Text from a client could move the cursor, change the window title, forge lines or
 * reverse the text direction, so all control characters are escaped: `\x1b`, `\n`, `\u202e`.
 */

/** C0, DEL, C1, line separators, and characters that change the text direction. */
const controls = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const controlsButLines = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes all control characters, including line breaks. */
export function escapeControls(text: string): string {
  return text.replace(controls, toEscape);
}

/** Escapes all control characters except line breaks, for text such as a stack. */
export function escapeControlsButLines(text: string): string {
  return text.replace(controlsButLines, toEscape);
}

function toEscape(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return names[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
}
