import "./trace.css";
import { useLayoutEffect } from "preact/hooks";
import type { LongRequest } from "../../../src/features/metrics/wire.ts";
import type { RequestRow } from "../data/request-rows.ts";
import { formatSpan } from "../format/numbers.ts";
import { hrefTo } from "../state/address.ts";
import { liveLongRequests } from "../state/fleet/members.ts";
import { Button, CopyButton } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Empty, Loading, Problem } from "../ui/feedback/notice.tsx";
import { Icon } from "../ui/icon.tsx";
import { Method, Status, StatusCode } from "../ui/status.tsx";
import { CurlPart } from "./curl-part.tsx";
import { ErrorPart } from "./error-part.tsx";
import { RecordsPart } from "./records-part.tsx";
import { FlightPart, HeadersPart, RunsPart } from "./related-parts.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { StallPart } from "./stall-part.tsx";
import { type Trace, useTrace } from "./trace-data.ts";

interface TraceDrawerProps {
  readonly trace: string;
  /** The request as the list has it. */
  readonly row?: RequestRow | undefined;
  onClose(): void;
  /** Undefined if there is none. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  /** The URL that shows another trace in this drawer. */
  hrefOf(trace: string): string;
}

/** A request, its error, log records and job runs, and concurrent requests. */
export function TraceDrawer(props: TraceDrawerProps) {
  const { trace, row, onClose, onPrevious, onNext, hrefOf } = props;
  useLayoutEffect(() => {
    function press(event: KeyboardEvent): void {
      const isWriting = (event.target as Element).closest("input, textarea, select, pre") !== null;
      if (isWriting || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "ArrowLeft") onPrevious?.();
      else if (event.key === "ArrowRight") onNext?.();
      else return;
      event.preventDefault();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [onPrevious, onNext]);
  const footer = (
    <>
      {(onPrevious || onNext) && (
        <span class="row inline gap-4 first">
          <Button
            icon="right"
            class="button plain flipped"
            disabled={!onPrevious}
            onClick={() => onPrevious?.()}
            title="Previous in the list (←)"
          >
            Newer
          </Button>
          <Button icon="right" disabled={!onNext} onClick={() => onNext?.()} title="Next in the list (→)">
            Older
          </Button>
        </span>
      )}
      <a
        class="button plain"
        href={hrefTo("logs", { q: `trace:${trace}`, range: "30d", from: undefined, to: undefined })}
      >
        <Icon name="logs" />
        Open in Logs
      </a>
    </>
  );
  const title = row ? (
    <RequestTitle {...row} />
  ) : (
    <>
      Trace <span class="mono">{trace}</span>
    </>
  );
  return (
    <Dialog title={title} kind="drawer" onClose={onClose} footer={footer}>
      {/^[A-Za-z0-9]{18}$/.test(trace) ? (
        <TraceStory key={trace} trace={trace} row={row} hrefOf={hrefOf} />
      ) : (
        <Empty title="This is not a trace ID">
          A trace ID has 18 letters and digits. Every response carries one in its X-Trace-ID header.
        </Empty>
      )}
    </Dialog>
  );
}

function RequestTitle({ method, path, status }: RequestRow) {
  return (
    <span class="trace-title">
      <Method method={method} /> <span class="mono">{path}</span> <StatusCode status={status} />
    </span>
  );
}

function Running({ method, path, age_ms, phase }: LongRequest) {
  return (
    <>
      <h3 class="trace-title">
        <Method method={method} /> <span class="mono">{path}</span>
      </h3>
      <p>
        <Status tone="warn">In flight for {formatSpan(age_ms)}</Status>
      </p>
      <p class="hint">
        {phase === "handling"
          ? "The request has arrived; no response has been sent."
          : "The client is still sending the request."}
      </p>
    </>
  );
}

type StoryProps = Pick<TraceDrawerProps, "trace" | "row" | "hrefOf">;

function TraceStory({ trace, row, hrefOf }: StoryProps) {
  const story = useTrace(trace);
  const request = story.request ?? row;
  const running = request ? undefined : liveLongRequests.value.find(({ trace_id }) => trace_id === trace);
  return (
    <div class="trace stack gap-11">
      <p class="actions">
        {/* Without the request, the title has the ID. */}
        {row && (
          <>
            <span class="hint">Trace</span> <code>{trace}</code>
          </>
        )}
        <CopyButton text={trace} name="Copy the trace ID" />
      </p>
      {story.error && <Problem error={story.error} retry={story.reload} />}
      {running && <Running {...running} />}
      {request && (
        <>
          {!row && (
            <h3>
              <RequestTitle {...request} />
            </h3>
          )}
          <RequestFacts request={request} detail={story.detail} />
        </>
      )}
      <StallPart stalls={story.stalls} />
      {story.isLoading && !request ? (
        <Loading lines={6} />
      ) : (
        <StoryParts story={story} request={request} isRunning={running !== undefined} hrefOf={hrefOf} />
      )}
    </div>
  );
}

interface StoryPartsProps {
  readonly story: Trace;
  readonly request: RequestRow | undefined;
  readonly isRunning: boolean;
  hrefOf(trace: string): string;
}

function StoryParts({ story, request, isRunning, hrefOf }: StoryPartsProps) {
  const { detail, records, runs, recording, isLoading } = story;
  if (!request && records.length === 0 && runs.length === 0) {
    return isRunning ? (
      <p class="hint">No log records of this trace yet.</p>
    ) : (
      <Unknown recording={recording} />
    );
  }
  return (
    <>
      {!request && !isRunning && (
        <p class="hint">
          The request itself is no longer in memory. Log records and job runs of this trace are below.
        </p>
      )}
      <ErrorPart records={records} />
      <RunsPart runs={runs} />
      <RecordsPart records={records} recording={recording} isLoading={isLoading} />
      {detail && <FlightPart others={detail.in_flight} request={detail} hrefOf={hrefOf} />}
      {detail?.headers && (
        <>
          <HeadersPart headers={detail.headers} />
          <CurlPart method={detail.method} path={detail.path} headers={detail.headers} />
        </>
      )}
      {detail && !detail.headers && (
        <p class="hint">
          Headers are kept only in the memory of {detail.instance}, which handled the request.
        </p>
      )}
      {!detail && request && !isLoading && (
        <p class="hint">
          Headers, sizes and concurrent requests are kept in memory only for the last thousand requests of an
          instance.
        </p>
      )}
    </>
  );
}

function Unknown({ recording }: Pick<Trace, "recording">) {
  return (
    <Empty icon="search" title="No data for this trace">
      It is not among the last thousand requests of a running instance, and no stored record mentions it.{" "}
      {recording && !recording.stored
        ? "Records are not stored at all (log.store is false)."
        : recording && !recording.requests
          ? `At level ${recording.level} requests are not recorded, so only what they logged can be found.`
          : "It may be too old, or mistyped."}
    </Empty>
  );
}
