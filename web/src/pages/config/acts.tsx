import { send } from "../../data/api.ts";
import { confirm } from "../../ui/dialog.tsx";
import { attempt } from "../../ui/toast.tsx";
import { type Consequences, foretell, type Sizes } from "./consequences.ts";
import { configPath, type Entry, isSame, type Setting, type SettingValue } from "./shapes.ts";
import { BeforeAfter, wordInitial, wordValue } from "./values.tsx";

const addressOf = ({ name }: Setting) => `${configPath}/${encodeURIComponent(name)}`;

export function saveSetting(
  setting: Setting,
  value: SettingValue,
  minutes: number | undefined,
): Promise<Setting> {
  return send<Setting>("PUT", addressOf(setting), { value, ...(minutes !== undefined && { minutes }) });
}

/** Asks for confirmation before data is deleted permanently. */
export async function confirmLoss(setting: Setting, value: SettingValue, sizes: Sizes): Promise<boolean> {
  const consequences = foretell(setting, value, sizes);
  if (!consequences.isLoss) return true;
  return confirm({
    title: `Change ${setting.name}?`,
    body: <WhatHappens setting={setting} value={value} consequences={consequences} />,
    action: `Change to ${wordValue(setting.name, value)}`,
    isDangerous: true,
  });
}

/** The origin of the value that the setting reverts to, as far as it is known. */
function wordOrigin({ initial }: Setting, entry: Entry): string {
  return isSame(initial, entry.default) ? "its default" : "the value from code or environment";
}

/** Reverts to the value from the start, after confirmation. Returns whether it was reverted. */
export async function revertSetting(setting: Setting, entry: Entry, sizes: Sizes): Promise<boolean> {
  const { name, initial } = setting;
  const word = wordInitial(setting);
  const consequences = foretell(setting, initial, sizes);
  const isSure = await confirm({
    title: `Revert ${name}?`,
    body: (
      <>
        <p>
          It reverts to <b>{word}</b>, {wordOrigin(setting, entry)}, on all instances.
        </p>
        <WhatHappens setting={setting} value={initial} consequences={consequences} />
      </>
    ),
    action: `Revert to ${word}`,
    isDangerous: consequences.isLoss,
  });
  if (!isSure) return false;
  return attempt(() => send("DELETE", addressOf(setting)), `${name} reverted to ${word}.`);
}

interface WhatHappensProps {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly consequences: Consequences;
}

function WhatHappens({ setting: { name, value: before }, value, consequences }: WhatHappensProps) {
  return (
    <>
      <div>
        <BeforeAfter name={name} before={before} after={value} />
      </div>
      {consequences.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  );
}
