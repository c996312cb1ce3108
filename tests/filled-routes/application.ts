import { openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Cleanup } from "../../src/lib/testing/share.ts";
import { startProgram } from "../support/program.ts";
import { account } from "./fill.ts";
import type { Entry, ExecutedQuery } from "./record-statements.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The names of the query parameters that were read. */
  readonly parameters: ReadonlySet<string>;
  readonly queries: readonly ExecutedQuery[];
}

/** Sends a GET request of a superuser. */
export type Ask = (url: string) => Promise<Answer>;

/** Starts the application in a process, and records what its threads read. */
export async function startRecorded(t: Cleanup, dataDir: string): Promise<{ ask: Ask }> {
  const beside = (name: string) => join(import.meta.dirname, name);
  const record = join(dataDir, "record.jsonl");
  const program = startProgram(
    t,
    ["--import", beside("record-statements.ts"), beside("program.ts"), dataDir],
    {
      env: { ANNEX_RECORD: record },
    },
  );
  const [, url] = await program.says(/Listening at (\S+)\./);
  const take = createTail(record);
  const login = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { token } = (await login.json()) as { token: string };
  return {
    async ask(path) {
      take();
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: "manual",
        signal: AbortSignal.timeout(120_000),
      });
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      const body = isStream ? await readBeginning(response) : await response.text();
      const entries = take();
      return {
        status: response.status,
        body,
        parameters: new Set(entries.flatMap((entry) => ("parameter" in entry ? [entry.parameter] : []))),
        queries: entries.filter((entry) => "sql" in entry),
      };
    },
  };
}

async function readBeginning(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

/** Returns the lines that were written since the last call. Threads write each line at once. */
function createTail(path: string): () => Entry[] {
  const file = openSync(path, "r");
  const buffer = Buffer.alloc(2 ** 20);
  let rest = Buffer.alloc(0);
  return () => {
    for (;;) {
      const length = readSync(file, buffer);
      if (length === 0) break;
      rest = Buffer.concat([rest, buffer.subarray(0, length)]);
    }
    const lines = rest.toString().split("\n");
    rest = Buffer.from(lines.pop()!);
    return lines.map((line) => JSON.parse(line) as Entry);
  };
}
