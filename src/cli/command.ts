import { escapeControlsButLines } from "../lib/text/terminal-text.ts";

/** A command of `annex`. */
export interface Command {
  /** The text of `--help`. */
  readonly help: string;
  /** Whether the arguments after the first file are those of the application. */
  readonly passesArguments?: boolean;
  /** Resolves with the exit code. */
  run(args: string[]): Promise<number>;
}

/** Invalid arguments. The message says what is expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Prints lines to standard output. Escape names from files and databases with `escapeControls` first. */
export function print(text: string): void {
  process.stdout.write(`${escapeControlsButLines(text)}\n`);
}

/** Prints a line to standard error. */
export function printProblem(text: string): void {
  process.stderr.write(`annex: ${escapeControlsButLines(text)}\n`);
}
