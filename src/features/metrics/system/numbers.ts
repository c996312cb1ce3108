/** A position in a text, to parse numbers without creating substrings. */
export interface Cursor {
  readonly text: string;
  at: number;
}

const space = 0x20;
const tab = 0x09;
const zero = 0x30;

/** Parses the next integer on the current line, skipping spaces; NaN if there is none. */
export function nextNumber(cursor: Cursor): number {
  const { text } = cursor;
  let { at } = cursor;
  while (text.charCodeAt(at) === space || text.charCodeAt(at) === tab) at++;
  const start = at;
  let value = 0;
  for (let digit = digitAt(text, at); digit >= 0; digit = digitAt(text, ++at)) value = value * 10 + digit;
  cursor.at = at;
  return at > start ? value : NaN;
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - zero;
  return digit <= 9 ? digit : -1;
}

/** The number at the start of a text. */
export function firstNumber(text: string): number {
  return nextNumber({ text, at: 0 });
}

/** The number after a label at the start of a line, as in `MemTotal:  24682740 kB`. */
export function numberAfter(text: string, label: string): number {
  return nextNumber({ text, at: lineWith(text, label) + label.length });
}

function lineWith(text: string, label: string): number {
  if (text.startsWith(label)) return 0;
  const found = text.indexOf(`\n${label}`);
  return found < 0 ? text.length : found + 1;
}
