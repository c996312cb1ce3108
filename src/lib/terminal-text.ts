/**
 * Text for a terminal. Text from a client could move the cursor, retitle the window, forge a line or reverse the
 * reading direction, so every character that controls a terminal is shown as an escape: `\x1b`, `\n`, `\u202e`.
 */

/** C0, DEL, C1, line separators, and what changes the direction of text. */
const controls = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const controlsButLines = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** As one line. */
export function escapeControls(text: string): string {
  return text.replace(controls, toEscape);
}

/** For text that has lines of its own, such as a stack. */
export function escapeControlsButLines(text: string): string {
  return text.replace(controlsButLines, toEscape);
}

function toEscape(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return names[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
}
