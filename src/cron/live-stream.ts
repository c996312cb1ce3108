import { Readable } from "node:stream";
import type { RequestEvent } from "../http/index.ts";
import { systemClock } from "../lib/clock.ts";
import { toLogEntry } from "./answers.ts";
import type { Manager } from "./manager.ts";
import { type NumberedEntry, parseOutput } from "./runs/output.ts";
import type { ActiveRun } from "./runs/runner.ts";

/** A proxy takes a connection for dead that is silent for longer. */
const heartbeatMs = 15_000;

/** A run of another instance is looked up in the store this often, which is how often that instance writes it. */
const lookUpMs = 1_000;

/** Whoever is that far behind does not read. */
const maxUnread = 2_000;

/**
 * Sends a run's output as server-sent events while it is written: `entry` for each entry, `progress` for each step,
 * and `end` with the finished log entry. After a broken connection a browser goes on where it was.
 */
export async function streamRun(e: RequestEvent<"run_id">, manager: Manager) {
  const runId = e.pathValue("run_id");
  await manager.findRun(runId);
  const seen = Number(e.header("last-event-id") ?? 0) || 0;
  e.setHeader("Cache-Control", "no-store");
  e.setHeader("X-Accel-Buffering", "no");
  return e.stream(200, "text/event-stream", Readable.from(tellRun(manager, runId, seen)));
}

async function* tellRun(manager: Manager, runId: string, seen: number): AsyncGenerator<string> {
  const active = await manager.activeRun(runId);
  yield* active ? tellActive(active, seen) : tellStored(manager, runId, seen);
  yield toEvent("end", toLogEntry(await manager.findRun(runId)));
}

async function* tellActive({ execution, over }: ActiveRun, seen: number): AsyncGenerator<string> {
  const unread: string[] = [];
  let isOver = false;
  let wake = () => {};
  const tell = (text: string) => {
    unread.push(text);
    wake();
  };
  void over.then(() => {
    isOver = true;
    wake();
  });
  const ends = [
    execution.followProgress((progress) => tell(toEvent("progress", { progress }))),
    execution.output.follow(seen, (entry) => tell(toEntryEvent(entry))),
  ];
  try {
    while (!isOver || unread.length > 0) {
      if (unread.length > maxUnread) throw new Error("Somebody who follows a run does not read");
      if (unread.length > 0) yield unread.splice(0).join("");
      else if (await isSilent((awake) => (wake = awake))) yield ": still running\n\n";
    }
  } finally {
    for (const end of ends) end();
  }
}

/** Waits to be woken; true when nobody did for a while. */
function isSilent(onWake: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = systemClock.after(heartbeatMs, () => resolve(true));
    onWake(() => {
      cancel();
      resolve(false);
    });
  });
}

async function* tellStored(manager: Manager, runId: string, seen: number): AsyncGenerator<string> {
  let last = seen;
  for (;;) {
    const { output, status } = await manager.findRun(runId);
    const entries = parseOutput(output).filter(({ number }) => number > last);
    last = entries.at(-1)?.number ?? last;
    yield entries.map(toEntryEvent).join("") || ": still running\n\n";
    if (status !== "running") return;
    await new Promise<void>((resolve) => systemClock.after(lookUpMs, resolve));
  }
}

function toEntryEvent({ number, level, message }: NumberedEntry): string {
  return `id: ${number}\n${toEvent("entry", { level, message })}`;
}

function toEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
