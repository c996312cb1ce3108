import { useEffect, useRef } from "preact/hooks";
import type { ConfigEntry, Setting } from "../../../../../src/features/settings/wire.ts";
import { hrefTo, setParams } from "../../../state/address.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { initialLabel, Value } from "../values.tsx";
import { OptionDetails } from "./option-details.tsx";
import { Source } from "./source.tsx";

export interface OptionRowProps {
  readonly entry: ConfigEntry;
  /** Absent if it cannot be changed at run time. */
  readonly setting: Setting | undefined;
  readonly isOpen: boolean;
  onEdit(): void;
  onRevert(): unknown;
}

/** One option: name, description, effective value, source, and actions. */
export function OptionRow({ entry, setting, isOpen, onEdit, onRevert }: OptionRowProps) {
  const { name, value } = entry;
  const row = useRef<HTMLLIElement>(null);
  const detailsId = `option-${name}`;
  useEffect(() => {
    // A link to this option scrolls it into view.
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <li ref={row} class={`config-option ${isOpen ? "open" : ""} from-${entry.source.replace(" ", "-")}`}>
      <div class="config-name">
        <h3>
          <button
            type="button"
            class="config-toggle row inline gap-4 strong small-icons"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setParams({ option: isOpen ? undefined : name }, { replace: true })}
          >
            <Icon name="right" />
            <code>{name}</code>
          </button>
        </h3>
        <p class="hint">{entry.about}</p>
      </div>
      <div class="config-value">
        <Value name={name} value={value} />
      </div>
      <Source entry={entry} setting={setting} />
      <div class="actions config-actions">
        {setting?.changed_at != null && (
          <Button icon="restore" onClick={onRevert}>
            Revert to {initialLabel(setting)}
            <span class="visually-hidden">, {name}</span>
          </Button>
        )}
        {setting && (
          <Button onClick={onEdit}>
            Edit <span class="visually-hidden">{name}</span>
          </Button>
        )}
        {name === "cron.timezone" && (
          <a class="button plain" href={hrefTo("cron")}>
            Change on the Cron page
          </a>
        )}
      </div>
      <div id={detailsId} class="config-details" hidden={!isOpen}>
        {isOpen && <OptionDetails entry={entry} setting={setting} />}
      </div>
    </li>
  );
}
