import { Readable } from "node:stream";
import { revocationSignal } from "../../../auth/index.ts";
import type { RequestEvent } from "../../../http/index.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { Manager } from "../jobs/manager.ts";
import type { ActiveRun } from "../runs/active-runs.ts";
import { type NumberedEntry, parseOutput } from "../runs/output.ts";
import type * as wire from "../wire.ts";
import { toLogEntry } from "./responses.ts";

/** Proxies close connections that are idle for longer. */
const heartbeatMs = 15_000;

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
 * Reads new entries whenever the client has consumed the previous ones. Nothing is buffered for slow clients: they
 * receive the beginning and the end of the output, like clients that connect later.
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
      if (hasMoved) yield toEvent("progress", { progress } satisfies wire.RunProgress);
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

/** Detects when the stream must end before the run does: its time limit is reached or its token is no longer valid. */
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
  /** Resolves with true when the bell rings, or with false after `withinMs`. */
  rings(withinMs: number): Promise<boolean>;
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
          const cancel = clock.after(withinMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      const rang = hasRung;
      hasRung = false;
      return rang;
    },
  };
}

function toEntryEvent({ number, level, message }: NumberedEntry): string {
  return `id: ${number}\n${toEvent("entry", { level, message } satisfies wire.OutputEntry)}`;
}

function toEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
