import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { QueuedRun, RunDetails } from "../../../../../src/features/cron/wire.ts";
import { useQuery } from "../../../state/query.ts";
import { appendLines, noLines, type OutputLines, parseOutput } from "./output-lines.ts";
import { followRun } from "./run-stream.ts";

export interface FollowedRun {
  readonly run: RunDetails | undefined;
  /** The run, if it has not started. */
  readonly queued: QueuedRun | undefined;
  readonly error: Error | undefined;
  readonly lines: OutputLines;
  /** From 0 to 1, if the job reports it. */
  readonly progress: number | undefined;
  /** Whether the connection is lost while the run is in progress. */
  readonly isCut: boolean;
  retry(): void;
}

/** Polling interval, in case the stream fails silently. */
const lookMs = 15_000;

/** How often a run that has not started is read. */
const queuedMs = 2_000;

/** A run with its output: streamed while it is in progress, loaded from storage afterwards. */
export function useRun(id: string, onEnd: () => void): FollowedRun {
  const [isFollowed, setFollowed] = useState(false);
  const [isQueued, setQueued] = useState(false);
  const every = isQueued ? queuedMs : lookMs;
  const reloads = isFollowed || isQueued ? { every, evenPaused: true } : {};
  const query = useQuery("/_/_/data/cron/runs/{run_id}", { run_id: id }, reloads);
  const found = query.data?.id === id ? query.data : undefined;
  const queued = found?.status === "queued" ? found : undefined;
  const run = found?.status === "queued" ? undefined : found;
  const [streamed, setStreamed] = useState<OutputLines>(noLines);
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [isCut, setCut] = useState(false);
  const [gone, setGone] = useState<Error | undefined>(undefined);
  const stopFollowing = useRef(() => {});
  const isRunning = run?.status === "running";

  useEffect(() => setQueued(queued !== undefined), [queued !== undefined]);

  // A followed run is followed to its end, because the end event delivers the last lines.
  useEffect(() => {
    if (isRunning) setFollowed(true);
    else if (isFollowed) endByResponse();
  }, [isRunning]);

  /** The stored output is complete; the streamed lines may not be. */
  function endByResponse(): void {
    stopFollowing.current();
    setCut(false);
    setFollowed(false);
    setStreamed(noLines);
    onEnd();
  }

  useEffect(() => {
    if (!isFollowed) return;
    stopFollowing.current = followRun(id, {
      onLines: (lines) => setStreamed((before) => appendLines(before, lines)),
      onProgress: setProgress,
      onConnection: (isOpen) => setCut(!isOpen),
      onGone: setGone,
      onEnd() {
        setCut(false);
        setFollowed(false);
        query.reload();
        onEnd();
      },
    });
    return stopFollowing.current;
  }, [isFollowed]);

  const stored = isRunning ? undefined : run?.output;
  const kept = useMemo(
    () => (stored === undefined ? noLines : appendLines(noLines, parseOutput(stored))),
    [stored],
  );
  return {
    run,
    queued,
    error: gone ?? query.error,
    lines: streamed === noLines ? kept : streamed,
    progress: progress ?? run?.progress,
    isCut,
    retry: query.reload,
  };
}
