import type { ComponentChildren } from "preact";
import type { ConfigEntry, Setting } from "../../../../../src/features/settings/wire.ts";
import { redacted } from "../../../data/redacted.ts";
import { hrefTo } from "../../../state/address.ts";
import { CopyButton } from "../../../ui/controls/button.tsx";
import { Value } from "../values.tsx";

/** How to set an option: in code, in the environment, or at run time. */
export function OptionDetails({ entry, setting }: { entry: ConfigEntry; setting: Setting | undefined }) {
  const { name, variable } = entry;
  return (
    <dl class="facts">
      <dt>Default</dt>
      <dd>
        <Value name={name} value={entry.default} />
      </dd>
      {setting?.changed_at != null && (
        <>
          <dt>At startup</dt>
          <dd>
            <Value name={name} value={setting.initial} />
          </dd>
        </>
      )}
      <dt>In code</dt>
      <Snippet text={toCode(entry, setting)} />
      <dt>In the environment</dt>
      {variable === undefined ? (
        <dd>This option has no environment variable.</dd>
      ) : (
        <Snippet text={`${variable}=${toVariable(entry, setting)}`} />
      )}
      <dt>At run time</dt>
      <dd>{runTimeLabel(name, setting)}</dd>
    </dl>
  );
}

function Snippet({ text }: { text: string }) {
  return (
    <dd class="row gap-4 slim">
      <code>{text}</code>
      <CopyButton text={text} />
    </dd>
  );
}

function runTimeLabel(name: string, setting: Setting | undefined): ComponentChildren {
  if (setting) return "Select Edit. The new value overrides code and environment until you revert it.";
  if (name !== "cron.timezone")
    return "It cannot be changed while the application runs. Set it in code or in the environment, and restart.";
  return (
    <>
      On the <a href={hrefTo("cron")}>Cron page</a>, which shows how that changes the next runs.
    </>
  );
}

/** The value if it can be written as code; undefined for redacted values, streams and objects. */
function givenValue({ value }: ConfigEntry, setting: Setting | undefined): unknown {
  const given = setting ? setting.initial : value;
  const isData = given !== null && given !== redacted && !/^an? (stream|object )/.test(String(given));
  return isData ? given : undefined;
}

/** "createApp({ log: { retentionHours: 168 } })" */
function toCode(entry: ConfigEntry, setting: Setting | undefined): string {
  const given = givenValue(entry, setting);
  const text = given === undefined ? "…" : JSON.stringify(given);
  const [first, second] = entry.name.split(".");
  return `createApp({ ${first}: ${second === undefined ? text : `{ ${second}: ${text} }`} })`;
}

function toVariable(entry: ConfigEntry, setting: Setting | undefined): string {
  const given = givenValue(entry, setting);
  return given === undefined ? "…" : String(given);
}
