import type { OutputEntry } from "../../../../../src/features/cron/wire.ts";

/** The output of a run in pieces, so that a new line only renders the last piece. */

export interface OutputLine extends OutputEntry {
  /** Starts at 1, in the order of writing. */
  readonly number: number;
}

export interface Piece {
  readonly key: number;
  readonly lines: readonly OutputLine[];
}

export interface OutputLines {
  readonly pieces: readonly Piece[];
  /** The number of dropped lines at the beginning. */
  readonly dropped: number;
}

const pieceSize = 100;
/** 5,000 lines, which browsers can still render smoothly. */
const maxPieces = 50;

export const noLines: OutputLines = { pieces: [], dropped: 0 };

/** Appends lines that are newer than the last one. */
export function appendLines(before: OutputLines, lines: readonly OutputLine[]): OutputLines {
  const newest = before.pieces.at(-1)?.lines.at(-1)?.number ?? 0;
  const fresh = lines.filter(({ number }) => number > newest);
  if (fresh.length === 0) return before;
  const pieces = [...before.pieces];
  for (let at = 0; at < fresh.length; ) {
    const last = pieces.at(-1);
    const room = last ? pieceSize - last.lines.length : 0;
    const more = fresh.slice(at, at + (room || pieceSize));
    if (last && room > 0) pieces[pieces.length - 1] = { key: last.key, lines: [...last.lines, ...more] };
    else pieces.push({ key: more[0]!.number, lines: more });
    at += more.length;
  }
  const surplus = Math.max(0, pieces.length - maxPieces);
  return { pieces: pieces.slice(surplus), dropped: before.dropped + surplus * pieceSize };
}

/** Parses stored output: a JSON array of entries. */
export function parseOutput(text: string): OutputLine[] {
  try {
    return (JSON.parse(text) as OutputEntry[]).map(({ level, message }, index) => ({
      number: index + 1,
      level,
      message,
    }));
  } catch {
    return [{ number: 1, level: "info", message: text }];
  }
}

export function toText({ pieces }: OutputLines): string {
  return pieces
    .flatMap(({ lines }) => lines.map(({ level, message }) => `${level.padEnd(9)}${message}\n`))
    .join("");
}
