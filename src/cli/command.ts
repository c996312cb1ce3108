import { escapeControlsButLines } from "../lib/terminal-text.ts";

/** One thing that `annex` can do. */
export interface Command {
  /** The words after `annex`, as they are typed. */
  readonly name: string;
  readonly summary: string;
  /** The text of `--help`. */
  readonly help: string;
  /** Resolves with the exit code. */
  run(args: string[]): Promise<number>;
}

/** A call whose words are wrong. The message says what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Prints lines. A name from a file or a database is escaped before it becomes part of one: see `escapeControls`. */
export function print(text: string): void {
  process.stdout.write(`${escapeControlsButLines(text)}\n`);
}

/** Prints a line about a problem. */
export function printProblem(text: string): void {
  process.stderr.write(`annex: ${escapeControlsButLines(text)}\n`);
}
