import { useState } from "preact/hooks";
import { Refusal } from "../../data/api.ts";
import { formatMinute } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { confirmLoss, revertSetting, saveSetting } from "./acts.tsx";
import { foretell, type Sizes } from "./consequences.ts";
import { parseDraft, toDraft } from "./draft.ts";
import { Field } from "./field.tsx";
import { Return, returnAfter } from "./return.tsx";
import { type Entry, isSame, type Setting, type SettingValue } from "./shapes.ts";
import { Value, wordInitial, wordValue } from "./values.tsx";

export interface EditDialogProps {
  readonly setting: Setting;
  readonly entry: Entry;
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
  const minutes = returns ? returnAfter(back) : undefined;
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
    toast(`${name} is ${wordValue(name, saved.value)}${until}.`);
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
        {returns && <Return value={back} initial={wordInitial(setting)} onChoose={setBack} />}
        <Outlook setting={setting} value={isNew ? value : undefined} sizes={sizes} />
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || !isNew}>
            {isBack ? `Revert to ${wordInitial(setting)}` : "Change"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The server's validation message, or the connection error. */
function sentenceOf(error: Error): string {
  const { value, minutes } = error instanceof Refusal ? error.fields : {};
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
    value === undefined ? { sentences: [], isLoss: false } : foretell(setting, value, sizes);
  return (
    <div aria-live="polite">
      {value !== undefined && (
        <ul class={`config-outlook ${isLoss ? "bad" : ""}`}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>It takes effect immediately, on other instances within seconds, and survives a restart.</li>
        </ul>
      )}
    </div>
  );
}
