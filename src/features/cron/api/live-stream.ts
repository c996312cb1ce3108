import type { RequestEvent, ServerSentEvent } from "../../../http/index.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { Manager } from "../jobs/manager.ts";
import type { ActiveRun } from "../runs/active-runs.ts";
import { type NumberedEntry, parseOutput } from "../runs/output.ts";
import type * as wire from "../wire.ts";
import { toLogEntry } from "./responses.ts";

/** Poll interval for runs of other instances. Matches the interval at which they store output. */
const lookUpMs = 1_000;

/** After this time, the client has to reconnect and authenticate again. The stream resumes where it ended. */
const longestMs = 15 * minuteMs;

/** ID of the last event. Browsers send it when they reconnect after the end. */
const endId = "end";

/**
 * Streams a run's output as server-sent events: `entry` for each entry, `progress` for each change and `end` with the
 * finished log entry. After a lost connection, browsers resume where they were. After `end`, a reconnecting browser
 * gets a response that stops further attempts. The stream also ends, without `end`, when the client's token becomes
 * invalid.
 */
export async function streamRun(e: RequestEvent<"run_id">, manager: Manager, clock: AlarmClock) {
  const runId = e.pathValue("run_id");
  await manager.findRun(runId);
  const lastEventId = e.header("last-event-id");
  if (lastEventId === endId) return e.noContent();
  const bell = createBell(clock);
  const cutOff = createCutOff(e, clock, bell.ring);
  const stream = { manager, runId, bell, cutOff };
  // A stop also ends the run, and clients see how.
  return e.sse(() => reportRun(stream, Number(lastEventId) || 0), { onStop: "finish" });
}

interface RunStream {
  readonly manager: Manager;
  readonly runId: string;
  readonly bell: Bell;
  readonly cutOff: CutOff;
}

async function* reportRun(stream: RunStream, seen: number): AsyncGenerator<ServerSentEvent> {
  const { manager, runId, cutOff } = stream;
  const active = await manager.activeRun(runId);
  yield* active ? reportActive(stream, active, seen) : reportStored(stream, seen);
  if (cutOff.isOver) return;
  yield { id: endId, event: "end", data: toLogEntry(await manager.findRun(runId)) };
}

/**
 * Reads new entries whenever the client has consumed the previous ones. Nothing is buffered for slow clients: they
 * receive the beginning and the end of the output, like clients that connect later.
 */
async function* reportActive(
  { bell, cutOff }: RunStream,
  { execution, over }: ActiveRun,
  seen: number,
): AsyncGenerator<ServerSentEvent> {
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
      yield* entries.map(toEntryEvent);
      if (hasMoved) yield { event: "progress", data: { progress } satisfies wire.RunProgress };
      if (wasOver) return;
      if (entries.length === 0 && !hasMoved) await bell.rings();
    }
  } finally {
    endWatching();
  }
}

async function* reportStored(
  { manager, runId, bell, cutOff }: RunStream,
  seen: number,
): AsyncGenerator<ServerSentEvent> {
  for (let last = seen; !cutOff.isOver; ) {
    const { output, status } = await manager.findRun(runId);
    const entries = parseOutput(output).filter(({ number }) => number > last);
    last = entries.at(-1)?.number ?? last;
    yield* entries.map(toEntryEvent);
    if (status !== "running") return;
    await bell.rings(lookUpMs);
  }
}

interface CutOff {
  readonly isOver: boolean;
}

/**
 * Detects when the stream must end before the run does: the client disconnects, the grace period of a stop is over,
 * its time limit is reached or its token is no longer valid.
 */
function createCutOff(e: RequestEvent<never>, clock: AlarmClock, onEnd: () => void): CutOff {
  const cutOff = { isOver: false };
  const end = () => {
    cutOff.isOver = true;
    onEnd();
  };
  e.signal.addEventListener("abort", end);
  e.response.once("close", clock.after(longestMs, end));
  return cutOff;
}

interface Bell {
  ring(): void;
  /** Resolves when the bell rings, or after `withinMs`. */
  rings(withinMs?: number): Promise<void>;
}

/** A signal that can be raised before it is awaited. */
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
          const cancel = withinMs === undefined ? () => {} : clock.after(withinMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}

function toEntryEvent({ number, level, message }: NumberedEntry): ServerSentEvent {
  return { id: number, event: "entry", data: { level, message } satisfies wire.OutputEntry };
}
