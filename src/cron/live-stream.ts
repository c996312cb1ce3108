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

/** The id of the last event, with which a browser comes back after the end. */
const endId = "end";

/**
 * Sends a run's output as server-sent events while it is written: `entry` for each entry, `progress` when that has
 * changed, and `end` with the finished log entry. After a broken connection a browser goes on where it was; after the
 * end it is told not to come back.
 */
export async function streamRun(e: RequestEvent<"run_id">, manager: Manager) {
  const runId = e.pathValue("run_id");
  await manager.findRun(runId);
  const lastEventId = e.header("last-event-id");
  if (lastEventId === endId) return e.noContent();
  e.setHeader("Cache-Control", "no-store");
  e.setHeader("X-Accel-Buffering", "no");
  const events = tellRun(manager, runId, Number(lastEventId) || 0);
  return e.stream(200, "text/event-stream", Readable.from(events));
}

async function* tellRun(manager: Manager, runId: string, seen: number): AsyncGenerator<string> {
  const active = await manager.activeRun(runId);
  yield* active ? tellActive(active, seen) : tellStored(manager, runId, seen);
  yield `id: ${endId}\n${toEvent("end", toLogEntry(await manager.findRun(runId)))}`;
}

/**
 * Asks for what is new whenever the client has taken what was told. Nothing is kept for a client that reads slowly: it
 * gets the beginning and the end, as everybody does who comes later.
 */
async function* tellActive({ execution, over }: ActiveRun, seen: number): AsyncGenerator<string> {
  const bell = createBell();
  const endWatching = execution.output.watch(bell.ring);
  let isOver = false;
  void over.then(() => {
    isOver = true;
    bell.ring();
  });
  let last = seen;
  let progress: number | undefined;
  try {
    for (;;) {
      const wasOver = isOver;
      const entries = execution.output.after(last);
      const hasMoved = execution.progress !== progress;
      last = entries.at(-1)?.number ?? last;
      progress = execution.progress;
      if (entries.length > 0) yield entries.map(toEntryEvent).join("");
      if (hasMoved) yield toEvent("progress", { progress });
      if (wasOver) return;
      if (entries.length === 0 && !hasMoved && !(await bell.rings(heartbeatMs))) yield ": still running\n\n";
    }
  } finally {
    endWatching();
  }
}

async function* tellStored(manager: Manager, runId: string, seen: number): AsyncGenerator<string> {
  for (let last = seen; ; ) {
    const { output, status } = await manager.findRun(runId);
    const entries = parseOutput(output).filter(({ number }) => number > last);
    last = entries.at(-1)?.number ?? last;
    if (entries.length > 0) yield entries.map(toEntryEvent).join("");
    if (status !== "running") return;
    if (entries.length === 0) yield ": still running\n\n";
    await new Promise<void>((resolve) => systemClock.after(lookUpMs, resolve));
  }
}

/** Something to wait for that may ring before anybody waits. */
function createBell() {
  let hasRung = false;
  let wake = () => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    /** Resolves when it rings, with true, or after that time, with false. */
    async rings(withinMs: number): Promise<boolean> {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const cancel = systemClock.after(withinMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      const answer = hasRung;
      hasRung = false;
      return answer;
    },
  };
}

function toEntryEvent({ number, level, message }: NumberedEntry): string {
  return `id: ${number}\n${toEvent("entry", { level, message })}`;
}

function toEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
