import type { QueuedRun } from "../../../../../src/features/cron/wire.ts";
import { formatMoment } from "../../../format/times.ts";
import { hrefTo } from "../../../state/address.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { Countdown } from "../../../ui/countdown.tsx";
import { Moment } from "../../../ui/time.tsx";
import { cancelQueued } from "../job-actions.tsx";

interface QueuedRunsProps {
  readonly runs: readonly QueuedRun[];
  onChange(): void;
}

/** Retries and single runs that are due later. */
export function QueuedRuns({ runs, onChange }: QueuedRunsProps) {
  if (runs.length === 0) return null;
  return (
    <>
      <h3>Queued</h3>
      <ol class="queued-runs divided">
        {runs.map((run) => (
          <li key={run.id} class="row">
            <span class="grow stack gap-2">
              <span class="row baseline gap-8">
                <Moment time={Date.parse(run.run_at)}>{formatMoment(Date.parse(run.run_at))}</Moment>
                <span class="hint">
                  <Countdown time={Date.parse(run.run_at)} />
                </span>
              </span>
              <QueueReason run={run} />
            </span>
            <IconButton
              icon="close"
              name={`Cancel the run at ${formatMoment(Date.parse(run.run_at))}`}
              onClick={async ({ currentTarget }) => {
                const item = (currentTarget as Element).closest("li");
                if (await cancelQueued(run)) focusBeside(item);
                onChange();
              }}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The button that had the focus disappears. */
function focusBeside(item: Element | null): void {
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  const target = beside?.querySelector("button") ?? document.getElementById("main");
  target?.focus();
}

const reasonWords = { failed: "a failure", interrupted: "an interruption" } as const;

/** Why a run is queued, and with which parameters. */
export function QueueReason({ run }: { run: QueuedRun }) {
  const { retry_of, reason, attempt, actor, parameters } = run;
  return (
    <span class="hint">
      {retry_of === undefined ? (
        `Single run${actor === undefined ? "" : `, ${actor}`}`
      ) : (
        <>
          {`Attempt ${attempt} after `}
          <a href={hrefTo("cron", { job: run.job_id, run: retry_of })}>{reasonWords[reason ?? "failed"]}</a>
        </>
      )}
      {parameters !== undefined && (
        <>
          {" · "}
          <code>{shorten(JSON.stringify(parameters))}</code>
        </>
      )}
    </span>
  );
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
