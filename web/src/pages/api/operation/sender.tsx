import { signal } from "@preact/signals";
import type { ApiOperation } from "../../../../../src/features/docs/wire.ts";
import { email } from "../../../data/session.ts";
import { CredentialFields } from "../../../explorer/auth/credential-fields.tsx";
import { credentialsFor } from "../../../explorer/auth/credentials.ts";
import type { NamedScheme } from "../../../explorer/auth/schemes.ts";
import type { Identity } from "../../../explorer/request/send-request.ts";
import { Choice } from "../../../ui/controls/choice.tsx";

/** The identity that requests are sent with. Stored in memory only, while the page is open. */

export type SenderKind = "session" | "credentials" | "nobody";

export const sender = signal<SenderKind>("session");

const needs: Readonly<Record<ApiOperation["auth"], string>> = {
  none: "No authentication required.",
  any: "Requires a signed-in user.",
  superuser: "Requires a superuser.",
};

const notes: Readonly<Record<SenderKind, string>> = {
  session: `Sent as ${email}, with your dashboard session.`,
  credentials: "Sent with these credentials, and without your session.",
  nobody: "Sent without your session or credentials.",
};

/** Cookies can be sent only together with those of the browser. */
export function identityOf(schemes: readonly NamedScheme[]): Identity {
  const credentials = sender.value === "credentials" ? credentialsFor(schemes) : [];
  const sendsCookies = sender.value === "session" || credentials.some((each) => each.in === "cookie");
  return { credentials, sendsCookies };
}

interface SenderProps {
  readonly auth: ApiOperation["auth"];
  readonly schemes: readonly NamedScheme[];
}

export function Sender({ auth, schemes }: SenderProps) {
  return (
    <div class="stack gap-8">
      <div class="cluster gap-8">
        <h3>Send as</h3>
        <Choice
          name="Send as"
          value={sender.value}
          options={[
            { value: "session", label: "My session" },
            { value: "credentials", label: "Credentials" },
            { value: "nobody", label: "Anonymous" },
          ]}
          onChoose={(kind) => {
            sender.value = kind;
          }}
        />
        <p class="hint">
          {needs[auth]} {notes[sender.value]}
        </p>
      </div>
      {sender.value === "credentials" && <CredentialFields schemes={schemes} />}
    </div>
  );
}
