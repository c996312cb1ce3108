import { useState } from "preact/hooks";
import { formatSpan } from "../../format/numbers.ts";
import { formatClock } from "../../format/times.ts";
import type { Level } from "../../query-bar/parse.ts";
import { changeLogLevel, type LogLevelSetting, revertLogLevel, useLogLevel } from "../../state/log-level.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice } from "../../ui/controls/choice.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { attempt } from "../../ui/feedback/toast.tsx";
import { useNow } from "../../ui/time.tsx";

/** Sets the minimum level of stored records, for a while or permanently. */
export function LogLevelControl() {
  const query = useLogLevel();
  const [isOpen, setOpen] = useState(false);
  const setting = query.data;
  return (
    <>
      {setting ? <LevelNow setting={setting} /> : <span class="log-level quiet">Logging …</span>}
      <Button icon="config" disabled={!setting} onClick={() => setOpen(true)}>
        Log level
      </Button>
      {setting && isOpen && (
        <LevelDialog setting={setting} onClose={() => setOpen(false)} onDone={query.reload} />
      )}
    </>
  );
}

function LevelNow({ setting: { value, initial, until } }: { setting: LogLevelSetting }) {
  const now = useNow();
  return (
    <span class="log-level quiet totals">
      Logging <b>{value}</b> and above
      {until !== null && (
        <span class="warn">
          {`, until ${formatClock(until)} (${formatSpan(until - now)}), then ${initial}`}
        </span>
      )}
      {until === null && value !== initial && <span class="warn">, instead of {initial}</span>}
    </span>
  );
}

const times = [
  { value: "5", label: "5 min" },
  { value: "15", label: "15 min" },
  { value: "60", label: "60 min" },
  { value: "", label: "Until changed back" },
] as const;

const levelOptions = [
  { value: "debug", label: "Debug" },
  { value: "info", label: "Info" },
  { value: "warn", label: "Warn" },
  { value: "error", label: "Error" },
] as const;

interface LevelDialogProps {
  readonly setting: LogLevelSetting;
  onClose(): void;
  onDone(): void;
}

function LevelDialog({ setting, onClose, onDone }: LevelDialogProps) {
  // The current level would change nothing.
  const [level, setLevel] = useState<Level>(setting.value === "debug" ? "info" : "debug");
  const [minutes, setMinutes] = useState<(typeof times)[number]["value"]>("15");
  async function act(doIt: () => Promise<unknown>, done: string): Promise<void> {
    const isDone = await attempt(async () => void (await doIt()), done);
    if (!isDone) return;
    onDone();
    onClose();
  }
  const span = minutes === "" ? "until it is changed back" : `for ${minutes} minutes`;
  const isSame =
    level === setting.value && (minutes === "" ? setting.until === null : level === setting.initial);
  const isChanged = setting.value !== setting.initial || setting.until !== null;
  return (
    <Dialog
      title="Log level"
      onClose={onClose}
      footer={
        <>
          {isChanged && (
            <Button
              icon="restore"
              onClick={() => act(revertLogLevel, `The log level is ${setting.initial} again.`)}
            >
              Revert to {setting.initial} now
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={isSame}
            onClick={() =>
              act(
                () => changeLogLevel(level, minutes === "" ? undefined : Number(minutes)),
                `The log level is ${level} ${span}.`,
              )
            }
          >
            Set to {level}
          </Button>
        </>
      }
    >
      <div class="form">
        <div class="field">
          Log this level and above
          <Choice name="Level" value={level} options={levelOptions} onChoose={(chosen) => setLevel(chosen)} />
        </div>
        <div class="field">
          For how long
          <Choice
            name="For how long"
            value={minutes}
            options={times}
            onChoose={(chosen) => setMinutes(chosen)}
          />
        </div>
        <p class="hint">
          {describeEffect(level)} It applies to every instance, {span}
          {minutes !== "" && `; then it reverts to ${setting.initial} automatically`}. The change is recorded
          under your name.
        </p>
      </div>
    </Dialog>
  );
}

function describeEffect(level: Level): string {
  if (level === "debug") return "Everything is written and stored, including every request.";
  if (level === "info") return "The application's records are written; individual requests are not.";
  return `Only ${level === "warn" ? "warnings and errors" : "errors"} are written; anything less severe is lost.`;
}
