import { Readable } from "node:stream";
import { revocationSignal } from "../auth/index.ts";
import type { RequestEvent } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import { toLogEntry } from "./answers.ts";
import type { Manager } from "./manager.ts";
import { type NumberedEntry, parseOutput } from "./runs/output.ts";
import type { ActiveRun } from "./runs/runner.ts";

/** A proxy takes a connection for dead that is silent for longer. */
const heartbeatMs = 15_000;

/** A run of another instance is looked up in the store this often, which is how often that instance writes it. */
const lookUpMs = 1_000;

/** After this time a client has to reconnect and is identified again. It continues where it was. */
const longestMs = 15 * 60_000;

/** The id of the last event, with which a browser comes back after the end. */
const endId = "end";

/**
 * Sends a run's output as server-sent events while it is written: `entry` for each entry, `progress` when that has
 * changed, and `end` with the finished log entry. After a broken connection a browser goes on where it was; after the
 * end it is told not to come back. The stream also ends, without `end`, when the client's token is no longer valid.
 */
export async function streamRun(e: RequestEvent<"run_id">, manager: Manager, clock: AlarmClock) {
  const runId = e.pathValue("run_id");
  await manager.findRun(runId);
  const lastEventId = e.header("last-event-id");
  if (lastEventId === endId) return e.noContent();
  e.setHeader("Cache-Control", "no-store");
  e.setHeader("X-Accel-Buffering", "no");
  const bell = createBell(clock);
  const cutOff = createCutOff(e, clock, bell.ring);
  const events = reportRun({ manager, runId, bell, cutOff }, Number(lastEventId) || 0);
  return e.stream(200, "text/event-stream", Readable.from(events));
}

interface RunStream {
  readonly manager: Manager;
  readonly runId: string;
  readonly bell: Bell;
  readonly cutOff: CutOff;
}

async function* reportRun(stream: RunStream, seen: number): AsyncGenerator<string> {
  const { manager, runId, cutOff } = stream;
  const active = await manager.activeRun(runId);
  yield* active ? reportActive(stream, active, seen) : reportStored(stream, seen);
  if (cutOff.isOver) return;
  yield `id: ${endId}\n${toEvent("end", toLogEntry(await manager.findRun(runId)))}`;
}

/**
 * Asks for what is new whenever the client has taken what was sent. Nothing is kept for a client that reads slowly: it
 * gets the beginning and the end, as everybody does who comes later.
 */
async function* reportActive(
  { bell, cutOff }: RunStream,
  { execution, over }: ActiveRun,
  seen: number,
): AsyncGenerator<string> {
  const endWatching = execution.output.watch(bell.ring);
  let isOver = false;
  void over.then(() => {
    isOver = true;
    bell.ring();
  });
  let last = seen;
  let progress: number | undefined;
  try {
    while (!cutOff.isOver) {
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

async function* reportStored(
  { manager, runId, bell, cutOff }: RunStream,
  seen: number,
): AsyncGenerator<string> {
  for (let last = seen; !cutOff.isOver; ) {
    const { output, status } = await manager.findRun(runId);
    const entries = parseOutput(output).filter(({ number }) => number > last);
    last = entries.at(-1)?.number ?? last;
    if (entries.length > 0) yield entries.map(toEntryEvent).join("");
    if (status !== "running") return;
    if (entries.length === 0) yield ": still running\n\n";
    await bell.rings(lookUpMs);
  }
}

interface CutOff {
  readonly isOver: boolean;
}

/** Notices when the stream has to end before the run does: its time is over, or its token is no longer valid. */
function createCutOff(e: RequestEvent<never>, clock: AlarmClock, onEnd: () => void): CutOff {
  const cutOff = { isOver: false };
  const end = () => {
    cutOff.isOver = true;
    onEnd();
  };
  revocationSignal(e)?.addEventListener("abort", end);
  e.response.once("close", clock.after(longestMs, end));
  return cutOff;
}

interface Bell {
  ring(): void;
  /** Resolves when it rings, with true, or after that time, with false. */
  rings(withinMs: number): Promise<boolean>;
}

/** Something to wait for that may ring before anybody waits. */
function createBell(clock: AlarmClock): Bell {
  let hasRung = false;
  let wake = () => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async rings(withinMs) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(withinMs, resolve);
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
