import { once } from "node:events";
import { createInterface } from "node:readline/promises";

/** Asks a question in the terminal. Anything but yes is no, and so is the end of the input. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Depending on the version of Node, Ctrl+D rejects the question or leaves it pending.
    const ended = once(lines, "close").then(() => "");
    const replied = lines.question(`${question} [y/N] `).catch(() => "");
    const reply = await Promise.race([replied, ended]);
    return /^y(es)?$/i.test(reply.trim());
  } finally {
    lines.close();
  }
}
