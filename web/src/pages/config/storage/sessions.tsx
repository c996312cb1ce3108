import type { ConfigResponse } from "../../../../../src/features/settings/wire.ts";
import { accountPath, email } from "../../../data/session.ts";
import { formatCount } from "../../../format/numbers.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { valueLabel } from "../values.tsx";

/** Signed-in browsers and API tokens. */
export function Sessions({ config: { sessions, entries } }: { config: ConfigResponse }) {
  const hours = entries.find(({ name }) => name === "auth.tokenHours")?.value;
  return (
    <Panel
      title="Sessions"
      actions={
        <a class="button plain" href={accountPath}>
          <Icon name="person" />
          Your sessions and superusers
        </a>
      }
    >
      <dl class="facts">
        <dt>Browsers</dt>
        <dd>{formatCount(sessions.count)} signed in</dd>
        <dt>Programs</dt>
        <dd>
          {formatCount(sessions.tokens)} {sessions.tokens === 1 ? "token is" : "tokens are"} valid
        </dd>
        <dt>You</dt>
        <dd>{email}</dd>
        <dt>A session lasts</dt>
        <dd>{valueLabel("auth.tokenHours", hours)}</dd>
      </dl>
      <p class="hint">
        A new password ends the sessions of its superuser, except the one in which it was changed.
      </p>
    </Panel>
  );
}
