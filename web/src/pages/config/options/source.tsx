import type {
  ConfigEntry,
  Setting,
  ConfigSource as SourceName,
} from "../../../../../src/features/settings/wire.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Ago } from "../../../ui/time.tsx";

const looks: Readonly<Record<SourceName, { readonly icon: IconName; readonly word: string }>> = {
  default: { icon: "idle", word: "Default" },
  environment: { icon: "logs", word: "Environment" },
  code: { icon: "api", word: "Code" },
  "run time": { icon: "config", word: "Run time" },
};

/** The source of a value. For a change at run time, also its user, time and expiry. */
export function Source({ entry, setting }: { entry: ConfigEntry; setting: Setting | undefined }) {
  const { icon, word } = looks[entry.source];
  return (
    <div class={`config-source stack gap-0 from-${entry.source.replace(" ", "-")}`}>
      <span class="status">
        <Icon name={icon} />
        {word}
      </span>
      {entry.source === "environment" && <code>{entry.variable}</code>}
      {setting?.changed_at != null && <Chosen setting={setting} at={setting.changed_at} />}
    </div>
  );
}

function Chosen({ setting, at }: { setting: Setting; at: number }) {
  return (
    <>
      <span class="hint">
        {setting.changed_by ?? "by the application"}, <Ago time={at} />
      </span>
      {setting.until !== null && (
        <span class="config-until row inline gap-4">
          <Icon name="clock" />
          reverts <Countdown time={setting.until} />
        </span>
      )}
    </>
  );
}
