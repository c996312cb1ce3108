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

/** Where a value comes from; of what was chosen at run time also by whom, when, and until when. */
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
        {setting.changed_by ?? "by the program"}, <Ago time={at} />
      </span>
      {setting.until !== null && (
        <span class="config-until">
          <Icon name="clock" />
          goes back <Countdown time={setting.until} />
        </span>
      )}
    </>
  );
}
