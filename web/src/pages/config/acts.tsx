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

/** Asks before something goes for good. */
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

/** Where the value that it goes back to came from, as far as that can be told. */
function wordOrigin({ initial }: Setting, entry: Entry): string {
  return isSame(initial, entry.default) ? "its default" : "the value from code or environment";
}

/** Goes back to what the start gave, once that was confirmed. Gives whether it was done. */
export async function revertSetting(setting: Setting, entry: Entry, sizes: Sizes): Promise<boolean> {
  const { name, initial } = setting;
  const word = wordInitial(setting);
  const consequences = foretell(setting, initial, sizes);
  const isSure = await confirm({
    title: `Put ${name} back?`,
    body: (
      <>
        <p>
          It goes back to <b>{word}</b>, {wordOrigin(setting, entry)}, on all instances.
        </p>
        <WhatHappens setting={setting} value={initial} consequences={consequences} />
      </>
    ),
    action: `Back to ${word}`,
    isDangerous: consequences.isLoss,
  });
  if (!isSure) return false;
  return attempt(() => send("DELETE", addressOf(setting)), `${name} is back to ${word}.`);
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
