import { useState } from "preact/hooks";
import { chooseWindow, timeWindow } from "../state/time-window.ts";
import { describeFieldZone, parseTimeField, toTimeField } from "../state/zone.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";

/** Selects a window with fixed ends. */
export function WindowDialog({ onClose }: { onClose(): void }) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { from, to } = timeWindow.value;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const start = parseTimeField(fields.get("from"));
    const end = parseTimeField(fields.get("to"));
    if (Number.isNaN(start) || Number.isNaN(end)) setProblem("Enter both a start and an end.");
    else if (end <= start) setProblem("The end must be later than the start.");
    else {
      chooseWindow({ from: start, to: end });
      onClose();
    }
  }

  return (
    <Dialog title="Choose a time range" onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <label>
          From
          <input type="datetime-local" name="from" step="1" defaultValue={toTimeField(from)} required />
        </label>
        <label>
          To
          <input type="datetime-local" name="to" step="1" defaultValue={toTimeField(to)} required />
        </label>
        {problem && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <p class="hint">
          {describeFieldZone()} Metrics are stored per second for an hour, per 10 seconds for a day, per
          minute for 30 days and per hour for a year.
        </p>
        <div class="dialog-foot actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Show
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
