import { useState } from "preact/hooks";
import type { ConfigEntry, Setting, SettingValue } from "../../../../../src/features/settings/wire.ts";
import { HttpError } from "../../../data/api.ts";
import { formatMinute } from "../../../format/times.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Dialog } from "../../../ui/feedback/dialog.tsx";
import { toast } from "../../../ui/feedback/toast.tsx";
import { initialLabel, Value, valueLabel } from "../values.tsx";
import { confirmLoss, revertSetting, saveSetting } from "./actions.tsx";
import { parseDraft, toDraft } from "./draft.ts";
import { Field } from "./field.tsx";
import { previewImpact, type Sizes } from "./impact.ts";
import { RevertTime, revertAfter } from "./revert-time.tsx";
import { isSame } from "./same-value.ts";

export interface EditDialogProps {
  readonly setting: Setting;
  readonly entry: ConfigEntry;
  readonly sizes: Sizes;
  onClose(): void;
  onChanged(): void;
}

/** Edits one option: description, current and new value, and the effects. */
export function EditDialog({ setting, entry, sizes, onClose, onChanged }: EditDialogProps) {
  const { name } = setting;
  const [draft, setDraft] = useState(toDraft(setting));
  const [back, setBack] = useState("15");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const parsed = parseDraft(setting, draft);
  const value = "value" in parsed ? parsed.value : undefined;
  const isBack = setting.changed_at !== null && isSame(value, setting.initial);
  const returns = name === "logLevel" && !isSame(value, setting.initial);
  const minutes = returns ? revertAfter(back) : undefined;
  // Selecting the same value again can extend its duration.
  const isNew = !isSame(value, setting.value) || (returns && setting.changed_at !== null);

  async function save(wanted: SettingValue): Promise<void> {
    if (isBack) {
      if (await revertSetting(setting, entry, sizes)) finish();
      return;
    }
    if (!(await confirmLoss(setting, wanted, sizes))) return;
    const saved = await saveSetting(setting, wanted, minutes);
    const until = saved.until === null ? "" : ` until ${formatMinute(saved.until)}`;
    toast(`${name} is ${valueLabel(name, saved.value)}${until}.`);
    finish();
  }
  function finish(): void {
    onChanged();
    onClose();
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setProblem("problem" in parsed ? parsed.problem : undefined);
    if ("problem" in parsed || isBusy) return;
    setBusy(true);
    await save(parsed.value).catch((error: Error) => setProblem(sentenceOf(error)));
    setBusy(false);
  }

  return (
    <Dialog title={`Change ${name}`} onClose={onClose}>
      <form class="form" noValidate onSubmit={submit}>
        <p>{setting.meaning}</p>
        <dl class="facts">
          <dt>Now</dt>
          <dd>
            <Value name={name} value={setting.value} />
          </dd>
        </dl>
        <Field
          setting={setting}
          draft={draft}
          problem={problem}
          onDraft={(text) => {
            setDraft(text);
            setProblem(undefined);
          }}
        />
        {returns && <RevertTime value={back} initial={initialLabel(setting)} onChoose={setBack} />}
        <Outlook setting={setting} value={isNew ? value : undefined} sizes={sizes} />
        <div class="dialog-foot actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || !isNew}>
            {isBack ? `Revert to ${initialLabel(setting)}` : "Change"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The server's validation message, or the connection error. */
function sentenceOf(error: Error): string {
  const { value, minutes } = error instanceof HttpError ? error.fields : {};
  return value?.message ?? minutes?.message ?? error.message;
}

interface OutlookProps {
  readonly setting: Setting;
  /** Undefined if there are no effects to show. */
  readonly value: SettingValue | undefined;
  readonly sizes: Sizes;
}

function Outlook({ setting, value, sizes }: OutlookProps) {
  const { sentences, isLoss } =
    value === undefined ? { sentences: [], isLoss: false } : previewImpact(setting, value, sizes);
  return (
    <div aria-live="polite">
      {value !== undefined && (
        <ul class={`alert stack gap-4 ${isLoss ? "bad" : ""}`}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li class="hint">
            It takes effect immediately, on other instances within seconds, and survives a restart.
          </li>
        </ul>
      )}
    </div>
  );
}
