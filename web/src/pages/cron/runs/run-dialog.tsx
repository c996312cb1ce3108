import { useId, useState } from "preact/hooks";
import type { RunBody } from "../../../../../src/features/cron/wire.ts";
import { HttpError, send } from "../../../data/api.ts";
import { formatMoment } from "../../../format/times.ts";
import { setParams } from "../../../state/address.ts";
import { describeFieldZone, parseTimeField } from "../../../state/zone.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Dialog } from "../../../ui/feedback/dialog.tsx";
import { toast } from "../../../ui/feedback/toast.tsx";

interface RunDialogProps {
  readonly job: { readonly id: string; readonly name: string };
  /** The parameters of an earlier run. */
  readonly parameters?: unknown;
  onClose(): void;
  onDone(): void;
}

interface RunProblem {
  readonly message: string;
  /** Otherwise, the request failed for another reason. */
  readonly isOfParameters: boolean;
}

/** Starts a run with parameters, now or later. */
export function RunDialog({ job, parameters, onClose, onDone }: RunDialogProps) {
  const [text, setText] = useState(() =>
    parameters === undefined ? "" : JSON.stringify(parameters, null, 2),
  );
  const [problem, setProblem] = useState<RunProblem | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const id = useId();

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const time = new FormData(event.currentTarget as HTMLFormElement).get("time");
    const read = readBody(text, time);
    setProblem(typeof read === "string" ? { message: read, isOfParameters: true } : undefined);
    if (typeof read === "string") return;
    setBusy(true);
    try {
      const { run_id, run_at } = await send("POST /api/cron/jobs/{id}/run", { id: job.id }, read);
      onClose();
      if (run_at === undefined) setParams({ run: run_id });
      else toast(`${job.name} runs at ${formatMoment(Date.parse(run_at))}.`);
      onDone();
    } catch (error) {
      setProblem(describe(error as Error));
      setBusy(false);
    }
  }

  return (
    <Dialog title={`Run ${job.name}`} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <label>
          Parameters, as JSON
          <textarea
            autofocus
            class="mono"
            rows={6}
            spellcheck={false}
            placeholder={'{ "day": "2026-03-01" }'}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            {...(problem?.isOfParameters && { "aria-invalid": true, "aria-describedby": id })}
          />
          <span class="hint">
            Optional. The job reads them as log.parameters, and they are stored with the run.
          </span>
        </label>
        <label>
          Start at
          <input type="datetime-local" name="time" step="1" />
          <span class="hint">Optional. Leave it empty to start now. {describeFieldZone()}</span>
        </label>
        {problem !== undefined && (
          <p class="field-problem" id={id} role="alert">
            {problem.message}
          </p>
        )}
        <div class="dialog-foot actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            {isBusy ? "Starting…" : "Run"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The body of the request, or what is wrong with the parameters. */
function readBody(text: string, time: FormDataEntryValue | null): RunBody | string {
  const body: { parameters?: unknown; run_at?: string } = {};
  if (text.trim() !== "") {
    try {
      body.parameters = JSON.parse(text);
    } catch (error) {
      return `The parameters are not valid JSON: ${(error as Error).message}.`;
    }
  }
  if (time) body.run_at = new Date(parseTimeField(time)).toISOString();
  return body;
}

function describe(error: Error): RunProblem {
  const status = error instanceof HttpError ? error.status : undefined;
  const isBusy = status === 409;
  const message = isBusy ? `${error.message} Set a time to let this one wait for its end.` : error.message;
  // The field for the time gives valid times only.
  return { message, isOfParameters: status === 400 };
}
