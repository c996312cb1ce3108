import { useState } from "preact/hooks";
import { HttpError, send } from "../../data/api.ts";
import { maxNameLength, suggestName } from "../../data/saved-views.ts";
import { params, storedHere } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { confirm, Dialog } from "../../ui/feedback/dialog.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { currentPage } from "../current-page.ts";
import { closeViews } from "./view-dialog.ts";
import { describeRange } from "./view-range.ts";

/** Saves the page as it was when the dialog was opened. If that fails, the dialog keeps the name. */
export function SaveView() {
  const [address] = useState(storedHere);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { data } = useQuery("/_/_/data/views");
  const { name: page, title } = currentPage.value;
  const range = describeRange(page, params.value);
  const taken = data?.views.map((view) => view.name) ?? [];
  const name = typed ?? suggestName({ title, params: params.value, range: range.text, taken });

  async function save(replace: boolean): Promise<void> {
    try {
      const view = await send("POST /_/_/data/views", {}, { name, address, replace });
      toast(`The view “${view.name}” is saved.`);
      closeViews();
    } catch (error) {
      if (isNameTaken(error as Error)) await replaceIfConfirmed();
      else setProblem((error as Error).message);
    }
  }
  async function replaceIfConfirmed(): Promise<void> {
    const title = `Replace “${name.trim()}”?`;
    const body = <p>You already have a saved view of this name. It will open this view instead.</p>;
    if (await confirm({ title, body, action: "Replace" })) await save(true);
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    await save(false);
    setBusy(false);
  }

  return (
    <Dialog title="Save this view" onClose={closeViews}>
      <form class="form" onSubmit={submit}>
        <label>
          Name
          <input
            autofocus
            required
            maxLength={maxNameLength}
            autocomplete="off"
            value={name}
            onFocus={(event) => typed === undefined && event.currentTarget.select()}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {problem && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <p class="hint">
          {range.isRelative
            ? `The time range stays relative: the view always shows the ${range.text}.`
            : `The time range stays fixed: ${range.text}. For a range that follows the clock, go live before you save.`}{" "}
          The view includes the filters and open details. Only you can see it.
        </p>
        <div class="dialog-foot actions">
          <Button onClick={closeViews}>Cancel</Button>
          <Button look="primary" type="submit">
            {isBusy ? "Saving…" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function isNameTaken(error: Error): boolean {
  return error instanceof HttpError && error.fields.name?.code === "not_unique";
}
