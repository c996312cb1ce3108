import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./command.ts";

/** Prompts for a new password twice without echoing it. Without a terminal, reads it from standard input. */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  const password = await ask("Password: ");
  if ((await ask("Repeat password: ")) !== password) throw new UsageError("The passwords do not match.");
  return password;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  // Discards the echo of readline.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    // Depending on the version of Node, Ctrl+D rejects the question or leaves it pending.
    const ended = once(lines, "close").then(() => undefined);
    const replied = lines.question("").catch(() => undefined);
    const password = await Promise.race([replied, ended]);
    if (password === undefined) throw new UsageError("No password was entered.");
    return password;
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
