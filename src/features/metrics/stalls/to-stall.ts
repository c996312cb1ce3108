import { toPath } from "../../../lib/paths/paths.ts";
import type { Redactor } from "../../../lib/redaction/redactor.ts";
import { showLocation } from "../../../lib/source/source-location.ts";
import { cutText } from "../requests/cut-text.ts";
import type * as wire from "../wire/stalls.ts";
import type { FoundStall, Frame, Work } from "./stall.ts";

/** Enough to see how the code was called. */
const maxLines = 12;

/** A stall in the format of the API. Reads source maps, so call it in the background thread. */
export function toStall(stall: FoundStall, instance: string, locate = showFrame): wire.Stall {
  const { startedAt, durationMs, blocker, inFlight, inFlightCount } = stall;
  const shown = blocker?.frames[blocker.shownFrame];
  return {
    started_at: startedAt,
    duration_ms: durationMs,
    instance,
    ...(blocker && {
      ...(blocker.work && { cause: toWork(blocker.work) }),
      is_certain: blocker.isCertain,
      ...(shown && { function: shown.name, location: locate(shown) }),
    }),
    stack: (blocker?.frames ?? []).slice(0, maxLines).map((frame) => toLine(frame, locate)),
    in_flight: inFlight.map(toWork),
    in_flight_count: inFlightCount,
  };
}

/** Redacts the paths of the requests. */
export function redactStall(stall: FoundStall, redactor: Redactor): FoundStall {
  const redact = (work: Work): Work =>
    work.kind === "run" ? work : { ...work, path: redactor.path(cutText(work.path), work.route) };
  const { blocker, inFlight } = stall;
  return {
    ...stall,
    blocker: blocker && { ...blocker, work: blocker.work && redact(blocker.work) },
    inFlight: inFlight.map(redact),
  };
}

function toWork(work: Work): wire.StallWork {
  const { traceId: trace_id, startedAt: started_at } = work;
  if (work.kind === "run")
    return { kind: "run", trace_id, job_id: work.jobId, run_id: work.runId, started_at };
  const { method, path, route } = work;
  return { kind: "request", trace_id, method, path, route, started_at };
}

function toLine(frame: Frame, locate: typeof showFrame): string {
  const location = locate(frame);
  if (location === undefined) return frame.name ?? "(anonymous)";
  return frame.name === undefined ? location : `${frame.name} (${location})`;
}

/** As `src/report.ts:12:3`, with the help of source maps. */
function showFrame({ file, line, column }: Frame): string | undefined {
  if (file === undefined || file === "") return undefined;
  if (file.startsWith("node:")) return `${file}:${line}:${column}`;
  return showLocation({ file: toPath(file) ?? file, line, column });
}
