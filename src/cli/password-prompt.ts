import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./command.ts";

/** Asks for a new password twice, without showing it; takes it from standard input where nobody can be asked. */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  const password = await ask("Password: ");
  if ((await ask("Once more: ")) !== password) throw new UsageError("The two passwords are not the same.");
  return password;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  // What readline would echo goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
