import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Errand } from "../app/errand.ts";
import { UsageError } from "./command.ts";

/** An application that has not started by then is not going to. */
const patienceMs = 60_000;

/** Runs the entry of an application in a process of its own, where it does the errand. `undefined` when it never did. */
export async function sendOnErrand(entry: string, errand: Errand): Promise<number | undefined> {
  if (!existsSync(entry)) throw new UsageError(`There is no file ${entry}.`);
  const preload = new URL(
    import.meta.resolve(import.meta.url.endsWith(".ts") ? "./errand-preload.ts" : "./errand-preload.js"),
  );
  preload.searchParams.set("errand", JSON.stringify(errand));
  const child = spawn(process.execPath, [`--import=${preload.href}`, entry], { stdio: "inherit" });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(giveUp);
  return signal === "SIGKILL" ? undefined : (code ?? 1);
}
