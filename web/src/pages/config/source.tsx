import { Countdown } from "../../ui/countdown.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Ago } from "../../ui/time.tsx";
import type { Entry, Setting, Source as SourceName } from "./shapes.ts";

const looks: Readonly<Record<SourceName, { readonly icon: IconName; readonly word: string }>> = {
  default: { icon: "idle", word: "Default" },
  environment: { icon: "logs", word: "Environment" },
  code: { icon: "api", word: "Code" },
  "run time": { icon: "config", word: "Run time" },
};

/** The source of a value. For a change at run time, also its user, time and expiry. */
export function Source({ entry, setting }: { entry: Entry; setting: Setting | undefined }) {
  const { icon, word } = looks[entry.source];
  return (
    <div class={`config-source from-${entry.source.replace(" ", "-")}`}>
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
        <span class="config-until">
          <Icon name="clock" />
          reverts <Countdown time={setting.until} />
        </span>
      )}
    </>
  );
}
