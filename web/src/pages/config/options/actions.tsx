import type { ConfigEntry, Setting, SettingValue } from "../../../../../src/features/settings/wire.ts";
import { send } from "../../../data/api.ts";
import { confirm } from "../../../ui/feedback/dialog.tsx";
import { attempt } from "../../../ui/feedback/toast.tsx";
import { BeforeAfter, initialLabel, valueLabel } from "../values.tsx";
import { type Impact, previewImpact, type Sizes } from "./impact.ts";
import { isSame } from "./same-value.ts";

export function saveSetting(
  setting: Setting,
  value: SettingValue,
  minutes: number | undefined,
): Promise<Setting> {
  const { name } = setting;
  return send("PUT /_/_/data/config/{name}", { name }, { value, ...(minutes !== undefined && { minutes }) });
}

/** Asks for confirmation before data is deleted permanently. */
export async function confirmLoss(setting: Setting, value: SettingValue, sizes: Sizes): Promise<boolean> {
  const impact = previewImpact(setting, value, sizes);
  if (!impact.isLoss) return true;
  return confirm({
    title: `Change ${setting.name}?`,
    body: <WhatHappens setting={setting} value={value} impact={impact} />,
    action: `Change to ${valueLabel(setting.name, value)}`,
    isDangerous: true,
  });
}

/** The origin of the value that the setting reverts to, as far as it is known. */
function originLabel({ initial }: Setting, entry: ConfigEntry): string {
  return isSame(initial, entry.default) ? "its default" : "the value from code or environment";
}

/** Reverts to the value from the start, after confirmation. Returns whether it was reverted. */
export async function revertSetting(setting: Setting, entry: ConfigEntry, sizes: Sizes): Promise<boolean> {
  const { name, initial } = setting;
  const word = initialLabel(setting);
  const impact = previewImpact(setting, initial, sizes);
  const isSure = await confirm({
    title: `Revert ${name}?`,
    body: (
      <>
        <p>
          It reverts to <b>{word}</b>, {originLabel(setting, entry)}, on all instances.
        </p>
        <WhatHappens setting={setting} value={initial} impact={impact} />
      </>
    ),
    action: `Revert to ${word}`,
    isDangerous: impact.isLoss,
  });
  if (!isSure) return false;
  return attempt(
    async () => void (await send("DELETE /_/_/data/config/{name}", { name })),
    `${name} reverted to ${word}.`,
  );
}

interface WhatHappensProps {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly impact: Impact;
}

function WhatHappens({ setting: { name, value: before }, value, impact }: WhatHappensProps) {
  return (
    <>
      <div>
        <BeforeAfter name={name} before={before} after={value} />
      </div>
      {impact.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  );
}
