import { useState } from "preact/hooks";
import type { ZonePreview } from "../../../../src/features/cron/wire.ts";
import { send } from "../../data/api.ts";
import { formatCount } from "../../format/numbers.ts";
import { type Query, useQuery } from "../../state/query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Combobox } from "../../ui/controls/combobox.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { Loading } from "../../ui/feedback/notice.tsx";
import { attempt } from "../../ui/feedback/toast.tsx";
import { formatInZone } from "./zone-times.ts";

interface TimezoneDialogProps {
  readonly current: string;
  onClose(): void;
  onChanged(): void;
}

/** Selects the time zone of schedules, with a preview of the effects. */
export function TimezoneDialog({ current, onClose, onChanged }: TimezoneDialogProps) {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const zones = useQuery("/_/_/data/cron/timezones");
  const path = chosen === undefined ? null : "/_/_/data/cron/timezone";
  const preview = useQuery(path, { timezone: chosen });
  const problem = preview.isLoading ? undefined : preview.error?.message;
  const fresh = preview.isLoading || problem !== undefined ? undefined : preview.data;

  async function change(): Promise<void> {
    const timezone = fresh!.timezone;
    if (!(await attempt(() => send("POST /api/cron/config/timezone", {}, { timezone })))) return;
    onChanged();
    onClose();
  }

  const isNew = fresh !== undefined && fresh.timezone !== current;
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" disabled={!isNew} onClick={change}>
        {isNew ? `Change to ${fresh.timezone}` : "Change"}
      </Button>
    </>
  );
  return (
    <Dialog title="Time zone of the schedules" onClose={onClose} footer={footer}>
      <p>
        Schedules are interpreted in <b>{current}</b>, except those of jobs with a time zone of their own. A
        change takes effect immediately on all instances, and survives a restart.
      </p>
      <Combobox
        label="New time zone"
        placeholder="A city or an IANA name, such as Berlin"
        options={zones.data?.timezones ?? (zones.error ? [] : undefined)}
        problem={problem}
        onChoose={setChosen}
      />
      <div aria-live="polite">
        <Preview preview={preview} fresh={fresh} current={current} />
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  readonly preview: Query<ZonePreview>;
  readonly fresh: ZonePreview | undefined;
  readonly current: string;
}

function Preview({ preview, fresh, current }: PreviewProps) {
  if (!fresh) return preview.isLoading ? <Loading lines={3} /> : null;
  const { timezone, jobs_affected: affected, examples } = fresh;
  if (timezone === current) return <p class="hint">That is the current time zone.</p>;
  if (affected === 0) return <p class="hint">No job would run at a different time within a year.</p>;
  return (
    <div class="stack">
      <p>
        {affected === 1 ? "One job would run" : `${formatCount(affected)} jobs would run`} at different times.
        {examples.length < affected && ` ${examples.length} of them:`}
      </p>
      {examples.map((example, index) => (
        <details key={example.job_id} open={index === 0}>
          <summary>
            <b>{example.name}</b> <code class="hint">{example.schedule}</code>
          </summary>
          <ZoneExample example={example} zones={[current, timezone]} />
        </details>
      ))}
    </div>
  );
}

interface ZoneExampleProps {
  readonly example: ZonePreview["examples"][number];
  /** The current and the new zone. */
  readonly zones: readonly [string, string];
}

/** The next runs, each in its own zone, with the time in the other zone below. */
function ZoneExample({ example: { name, before, after }, zones: [now, then] }: ZoneExampleProps) {
  return (
    <table class="zone-example">
      <caption class="visually-hidden">Next runs of {name}</caption>
      <thead>
        <tr>
          <th scope="col">Now, in {now}</th>
          <th scope="col">Then, in {then}</th>
        </tr>
      </thead>
      <tbody>
        {before.map((time, index) => (
          <tr key={time}>
            <ZoneCell time={time} zone={now} other={then} />
            <ZoneCell time={after[index]} zone={then} other={now} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ZoneCell({ time, zone, other }: { time: number | undefined; zone: string; other: string }) {
  if (time === undefined) return <td>–</td>;
  return (
    <td>
      {formatInZone(time, zone)}
      <span class="hint stack">
        {formatInZone(time, other)} in {other}
      </span>
    </td>
  );
}
