import { useState } from "preact/hooks";
import type { QueuedRun, Run, RunDetails as WireRun } from "../../../../../src/features/cron/wire.ts";
import { send } from "../../../data/api.ts";
import { formatMs, formatPercent, formatSpan } from "../../../format/numbers.ts";
import { formatDay, formatPrecise } from "../../../format/times.ts";
import { hrefTo, setParams } from "../../../state/address.ts";
import { isLive, timeWindow } from "../../../state/time-window.ts";
import { Button, CopyButton } from "../../../ui/controls/button.tsx";
import { Countdown, Elapsed } from "../../../ui/countdown.tsx";
import { confirm, Dialog } from "../../../ui/feedback/dialog.tsx";
import { Loading, Problem } from "../../../ui/feedback/notice.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Status } from "../../../ui/status.tsx";
import { Ago, Moment } from "../../../ui/time.tsx";
import { cancelQueued, runJob } from "../job-actions.tsx";
import { describeTrigger, RunState, statusWords } from "../statuses.tsx";
import { Attempts } from "./attempts.tsx";
import { QueueReason } from "./queued-runs.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { RunOutput } from "./run-output.tsx";
import { type FollowedRun, useRun } from "./use-run.ts";

/** One run in a drawer, with its live output. */
export function RunDrawer({ id, onNews }: { id: string; onNews(): void }) {
  const followed = useRun(id, onNews);
  const { run, queued, error, retry } = followed;
  const jobId = (run ?? queued)?.job_id;
  const title =
    jobId === undefined ? (
      "Run"
    ) : (
      <a class="plain-link" href={hrefTo("cron", { job: jobId })}>
        {run?.job_name ?? jobId}
      </a>
    );
  return (
    <Dialog title={title} kind="drawer" onClose={() => setParams({ run: undefined })}>
      {error && <Problem error={error} retry={retry} />}
      {queued && <Queued run={queued} onNews={onNews} />}
      {run && <RunDetails run={run} followed={followed} onNews={onNews} />}
      {!(run || queued || error) && <Loading />}
    </Dialog>
  );
}

function Queued({ run, onNews }: { run: QueuedRun; onNews(): void }) {
  const time = Date.parse(run.run_at);
  async function cancel(): Promise<void> {
    if (!(await cancelQueued(run))) return;
    setParams({ run: undefined });
    onNews();
  }
  return (
    <div class="run">
      <div class="split">
        <p class="run-state row baseline gap-8">
          <Status tone="quiet">Queued</Status> <Countdown time={time} />
        </p>
        <Button icon="stop" onClick={cancel}>
          Cancel run
        </Button>
      </div>
      <dl class="facts run-facts">
        <dt>Due</dt>
        <dd>
          <Moment time={time}>{`${formatDay(time)}, ${formatPrecise(time)}`}</Moment>
        </dd>
        <dt>Reason</dt>
        <dd>
          <QueueReason run={run} />
        </dd>
      </dl>
    </div>
  );
}

interface RunDetailsProps {
  readonly run: WireRun;
  readonly followed: FollowedRun;
  onNews(): void;
}

function RunDetails({ run, followed: { lines, progress, isCut }, onNews }: RunDetailsProps) {
  const isRunning = run.status === "running";
  return (
    <div class="run">
      <div class="split">
        <p class="run-state row baseline gap-8">
          <RunState status={run.status} />
          <span class="quiet">
            {isRunning ? <Elapsed since={Date.parse(run.start_time)} /> : formatMs(run.duration_ms ?? 0)}
          </span>
        </p>
        {isRunning ? <CancelButton run={run} /> : <AgainButton run={run} onNews={onNews} />}
      </div>
      <p class="visually-hidden" role="status">
        {`${statusWords[run.status]}${isRunning ? "" : ` after ${formatMs(run.duration_ms ?? 0)}`}`}
      </p>
      {isRunning && progress !== undefined && <Progress ratio={progress} />}
      {isCut && isRunning && (
        <p class="note alert warn" role="status">
          <Icon name="running" /> The connection is lost. The output continues as soon as it is restored.
        </p>
      )}
      <Facts run={run} />
      <Attempts run={run} />
      <RunOutput run={run} lines={lines} />
    </div>
  );
}

function Progress({ ratio }: { ratio: number }) {
  return (
    <label class="run-progress row">
      <progress max={1} value={ratio} />
      <span>{formatPercent(ratio)}</span>
      <span class="visually-hidden">Progress</span>
    </label>
  );
}

function CancelButton({ run }: { run: Run }) {
  const [state, setState] = useState<"idle" | "asked" | Error>("idle");
  async function cancel(): Promise<void> {
    const isSure = await confirm({
      title: "Cancel this run?",
      body: (
        <p>
          {run.job_name} is asked to stop and has five seconds to clean up. The run counts as failed, and its
          effects so far are not undone.
        </p>
      ),
      action: "Yes, cancel the run",
      isDangerous: true,
    });
    if (!isSure) return;
    setState("asked");
    await send("POST /api/cron/runs/{run_id}/cancel", { run_id: run.id }).catch(setState);
  }
  return (
    <>
      <Button icon="stop" disabled={state === "asked"} onClick={cancel}>
        {state === "asked" ? "Cancelling…" : "Cancel run"}
      </Button>
      {state instanceof Error && <Problem error={state} />}
    </>
  );
}

/** A run with parameters is repeated with the same ones, which the user can change. */
function AgainButton({ run, onNews }: { run: Run; onNews(): void }) {
  const [isChoosing, setChoosing] = useState(false);
  const job = { id: run.job_id, name: run.job_name };
  async function again(): Promise<void> {
    if (run.parameters !== undefined) return setChoosing(true);
    await runJob(job);
    onNews();
  }
  return (
    <>
      <Button icon="play" onClick={again}>
        {run.parameters === undefined ? "Run again" : "Run again…"}
      </Button>
      {isChoosing && (
        <RunDialog job={job} parameters={run.parameters} onClose={() => setChoosing(false)} onDone={onNews} />
      )}
    </>
  );
}

/** On one line if it is short. */
function formatParameters(parameters: unknown): string {
  const line = JSON.stringify(parameters);
  return line.length <= 80 ? line : JSON.stringify(parameters, null, 2);
}

const aroundMs = 15 * 60_000;

/**
 * Errors are filtered by time. If the run is outside of the selected window, the link selects a window around its end.
 */
function errorsHref({ job_id, start_time, end_time = start_time }: Run): string {
  const end = Date.parse(end_time);
  const { from, to } = timeWindow.value;
  const isWithin = end >= from && (isLive.value || end <= to);
  const window = isWithin ? {} : { range: undefined, from: end - aroundMs, to: end + aroundMs };
  return hrefTo("errors", { q: `job ${job_id}`, ...window });
}

function Facts({ run }: { run: Run }) {
  const began = Date.parse(run.start_time);
  const late = began - Date.parse(run.scheduled_at);
  return (
    <dl class="facts run-facts">
      <dt>Started</dt>
      <dd>
        <Moment time={began}>{`${formatDay(began)}, ${formatPrecise(began)}`}</Moment>,{" "}
        <span class="hint">
          <Ago time={began} />
          {late >= 1_000 && `, ${formatSpan(late)} late`}
        </span>
      </dd>
      <dt>Trigger</dt>
      <dd>
        {describeTrigger(run.trigger, run.actor)}
        {run.attempt > 1 && `, attempt ${run.attempt}`}
      </dd>
      {run.parameters !== undefined && (
        <>
          <dt>Parameters</dt>
          <dd>
            <pre class="run-parameters">{formatParameters(run.parameters)}</pre>
          </dd>
        </>
      )}
      {run.instance !== undefined && (
        <>
          <dt>Instance</dt>
          <dd>{run.instance}</dd>
        </>
      )}
      <dt>Run</dt>
      <dd class="cluster slim">
        <code>{run.id}</code> <CopyButton text={run.id} name="Copy the run ID" />
      </dd>
      <dt>Trace</dt>
      <dd class="cluster slim">
        <code>{run.trace_id}</code> <CopyButton text={run.trace_id} name="Copy the trace ID" />
        <a href={hrefTo("logs", { q: `trace:${run.trace_id}` })}>Log records</a>
        {(run.status === "failed" || run.status === "timeout") && (
          <a href={errorsHref(run)}>Errors of this job</a>
        )}
        {run.actor !== undefined && (
          <a href={hrefTo("requests", { trace: run.trace_id })}>The request that started it</a>
        )}
      </dd>
    </dl>
  );
}
