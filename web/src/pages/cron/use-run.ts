import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useQuery } from "../../data/query.ts";
import { appendLines, noLines, type OutputLines, parseOutput } from "./output-lines.ts";
import { followRun } from "./run-stream.ts";
import type { Run } from "./shapes.ts";

export interface FollowedRun {
  readonly run: Run | undefined;
  readonly error: Error | undefined;
  readonly lines: OutputLines;
  /** From 0 to 1, if the job tells. */
  readonly progress: number | undefined;
  /** Whether the connection is broken while there is more to come. */
  readonly isCut: boolean;
  retry(): void;
}

/** How often a run is asked for besides, in case its stream has died unnoticed. */
const lookMs = 15_000;

/** A run and what it writes: as it is written while it is in progress, and as it is stored afterwards. */
export function useRun(id: string, onEnd: () => void): FollowedRun {
  const [isFollowed, setFollowed] = useState(false);
  const path = `/_/_/data/cron/runs/${encodeURIComponent(id)}`;
  const query = useQuery<Run>(path, {}, isFollowed ? { every: lookMs, evenPaused: true } : {});
  const run = query.data?.id === id ? query.data : undefined;
  const [streamed, setStreamed] = useState<OutputLines>(noLines);
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [isCut, setCut] = useState(false);
  const [gone, setGone] = useState<Error | undefined>(undefined);
  const stopFollowing = useRef(() => {});
  const isRunning = run?.status === "running";

  // Once followed it is followed to its end, since the last lines come with that.
  useEffect(() => {
    if (isRunning) setFollowed(true);
    else if (isFollowed) endByAnswer();
  }, [isRunning]);

  /** What is stored of it is whole, and what the stream brought may not be. */
  function endByAnswer(): void {
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
