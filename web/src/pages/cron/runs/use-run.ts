import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Run } from "../../../../../src/features/cron/wire.ts";
import { useQuery } from "../../../state/query.ts";
import { appendLines, noLines, type OutputLines, parseOutput } from "./output-lines.ts";
import { followRun } from "./run-stream.ts";

export interface FollowedRun {
  readonly run: Run | undefined;
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

/** A run with its output: streamed while it is in progress, loaded from storage afterwards. */
export function useRun(id: string, onEnd: () => void): FollowedRun {
  const [isFollowed, setFollowed] = useState(false);
  const reloads = isFollowed ? { every: lookMs, evenPaused: true } : {};
  const query = useQuery("/_/_/data/cron/runs/{run_id}", { run_id: id }, reloads);
  const run = query.data?.id === id ? query.data : undefined;
  const [streamed, setStreamed] = useState<OutputLines>(noLines);
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [isCut, setCut] = useState(false);
  const [gone, setGone] = useState<Error | undefined>(undefined);
  const stopFollowing = useRef(() => {});
  const isRunning = run?.status === "running";

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
    error: gone ?? query.error,
    lines: streamed === noLines ? kept : streamed,
    progress: progress ?? run?.progress,
    isCut,
    retry: query.reload,
  };
}
