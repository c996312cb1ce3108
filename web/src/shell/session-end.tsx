import { useState } from "preact/hooks";
import { accountPath, email, isSignedOut, submitSignIn } from "../data/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";

/** Asks the user to sign in again after the session has expired. The page keeps its state. */
export function SessionEnd() {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  if (!isSignedOut.value) return null;

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    const refused = await submitSignIn(String(fields.get("identity")), String(fields.get("password"))).catch(
      () => "The server cannot be reached.",
    );
    setBusy(false);
    setProblem(refused);
  }

  return (
    <Dialog title="Sign in again">
      <form class="form" onSubmit={submit}>
        <p>Your session has ended. Sign in to continue where you left off; nothing on this page is lost.</p>
        {problem && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <label>
          Email
          <input name="identity" type="email" autocomplete="username" defaultValue={email} required />
        </label>
        <label>
          Password
          <input
            autofocus={email !== ""}
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </label>
        <div class="dialog-foot actions">
          <a class="button plain" href={accountPath}>
            Go to sign-in
          </a>
          <Button look="primary" type="submit" disabled={isBusy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
