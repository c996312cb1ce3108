import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Errand, errandVariable } from "../app/errand.ts";
import { moduleBeside } from "../lib/threads.ts";
import { UsageError } from "./command.ts";

/** An application that has not started by then is not going to. */
const patienceMs = 60_000;

/** Runs the entry of an application in a process of its own, where it does the errand. `undefined` when it never did. */
export async function sendOnErrand(entry: string, errand: Errand): Promise<number | undefined> {
  if (!existsSync(entry)) throw new UsageError(`There is no file ${entry}.`);
  const preload = fileURLToPath(moduleBeside(import.meta.url, "errand-preload"));
  // With --import, Node loads the entry as an ES module, past the hooks that ts-node and others have for require.
  const child = spawn(process.execPath, ["--require", preload, entry], {
    stdio: "inherit",
    env: { ...process.env, [errandVariable]: JSON.stringify(errand) },
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(giveUp);
  return signal === "SIGKILL" ? undefined : (code ?? 1);
}
