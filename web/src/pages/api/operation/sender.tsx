import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ApiOperation } from "../../../../../src/features/docs/wire.ts";
import { email } from "../../../data/session.ts";
import { Choice } from "../../../ui/controls/choice.tsx";

/** The identity that requests are sent with. Stored in memory only, while the page is open. */

export type SenderKind = "session" | "token" | "nobody";

export const sender = signal<SenderKind>("session");
export const token = signal("");

const needs: Readonly<Record<ApiOperation["auth"], string>> = {
  none: "No authentication required.",
  any: "Requires a signed-in user.",
  superuser: "Requires a superuser.",
};

const notes: Readonly<Record<SenderKind, string>> = {
  session: `Sent as ${email}, with your dashboard session.`,
  token: "Sent with this token, and without your session.",
  nobody: "Sent without your session or a token.",
};

export function Sender({ auth }: { auth: ApiOperation["auth"] }) {
  const id = useId();
  return (
    <div class="cluster gap-8">
      <h3>Send as</h3>
      <Choice
        name="Send as"
        value={sender.value}
        options={[
          { value: "session", label: "My session" },
          { value: "token", label: "Token" },
          { value: "nobody", label: "Anonymous" },
        ]}
        onChoose={(kind) => {
          sender.value = kind;
        }}
      />
      {sender.value === "token" && (
        <input
          type="password"
          aria-label="Bearer token"
          aria-describedby={id}
          placeholder="Bearer token"
          autocomplete="off"
          value={token.value}
          onInput={(event) => {
            token.value = event.currentTarget.value.trim().replace(/^bearer +/i, "");
          }}
        />
      )}
      <p class="hint" id={id}>
        {needs[auth]} {notes[sender.value]}
      </p>
    </div>
  );
}
