import type { OutputEntry, RunProgress } from "../../../../../src/features/cron/wire.ts";
import { get, HttpError } from "../../../data/api.ts";
import { urlOf } from "../../../data/routes.ts";
import type { OutputLine } from "./output-lines.ts";

export interface StreamListener {
  onLines(lines: readonly OutputLine[]): void;
  onProgress(progress: number): void;
  /** The run has ended, and its data is final. */
  onEnd(): void;
  /** Whether the stream is connected. */
  onConnection(isOpen: boolean): void;
  /** The run cannot be followed because it does not exist any more. */
  onGone(error: Error): void;
}

/** A job may write faster than a browser can render. */
const drawMs = 80;
const retryMs = 2_000;

/** Follows the output of a run across lost connections and restarts. Returns a function that stops it. */
export function followRun(id: string, listener: StreamListener): () => void {
  const leaving = new AbortController();
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let drawing: ReturnType<typeof setTimeout> | undefined;
  let waiting: OutputLine[] = [];

  function draw(): void {
    clearTimeout(drawing);
    drawing = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) listener.onLines(lines);
  }

  function open(): void {
    source = new EventSource(urlOf("/_/_/data/cron/runs/{id}/stream", { id }));
    source.addEventListener("open", () => listener.onConnection(true));
    source.addEventListener("entry", ({ data, lastEventId }: MessageEvent<string>) => {
      const entry: OutputEntry = JSON.parse(data);
      waiting.push({ number: Number(lastEventId), ...entry });
      drawing ??= setTimeout(draw, drawMs);
    });
    source.addEventListener("progress", ({ data }: MessageEvent<string>) => {
      const { progress }: RunProgress = JSON.parse(data);
      if (progress !== undefined) listener.onProgress(progress);
    });
    source.addEventListener("end", () => {
      source?.close();
      draw();
      listener.onEnd();
    });
    source.addEventListener("error", () => {
      listener.onConnection(false);
      // Browsers reconnect automatically, unless the response is an error instead of a stream.
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(reopen, retryMs);
    });
  }

  async function reopen(): Promise<void> {
    try {
      // If the session has expired, this request asks the user to sign in.
      await get("/_/_/data/cron/runs/{run_id}", { run_id: id }, leaving.signal);
      if (!leaving.signal.aborted) open();
    } catch (error) {
      if (leaving.signal.aborted) return;
      if (error instanceof HttpError && error.status === 404) listener.onGone(error);
      else retry = setTimeout(reopen, retryMs);
    }
  }

  open();
  return () => {
    leaving.abort();
    source?.close();
    clearTimeout(retry);
    clearTimeout(drawing);
  };
}
