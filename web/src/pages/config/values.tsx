import type { Setting } from "../../../../src/features/settings/wire.ts";
import { redacted } from "../../data/redacted.ts";
import { formatBytes, formatMs, formatSpan, formatWhole } from "../../format/numbers.ts";
import { formatValue } from "../../format/values.ts";
import { Icon } from "../../ui/icon.tsx";

/** Units, by the suffix of an option's name. */
const units: readonly { end: string; unit: string; note(value: number): string }[] = [
  { end: "Days", unit: "days", note: (value) => formatSpan(value * 86_400_000) },
  { end: "Hours", unit: "hours", note: (value) => formatSpan(value * 3_600_000) },
  { end: "Minutes", unit: "minutes", note: (value) => formatSpan(value * 60_000) },
  { end: "Megabytes", unit: "MB", note: (value) => formatBytes(value * 1_000_000) },
  { end: "Ms", unit: "ms", note: formatMs },
  { end: "Bytes", unit: "bytes", note: formatBytes },
];

/** A value with its unit: "168 hours". */
export function valueLabel(name: string, value: unknown): string {
  const { unit } = units.find(({ end }) => name.endsWith(end)) ?? {};
  if (typeof value !== "number" || unit === undefined) return formatValue(value);
  const number = Number.isInteger(value) ? formatWhole(value) : value;
  return `${number} ${value === 1 && unit.endsWith("s") ? unit.slice(0, -1) : unit}`;
}

/** The same value in a larger unit, if that is easier to read: "7 d". */
export function noteOf(name: string, value: unknown): string | undefined {
  if (typeof value !== "number" || value < 24) return undefined;
  const note = units.find(({ end }) => name.endsWith(end))?.note(value);
  return note === valueLabel(name, value) ? undefined : note;
}

/** The value that a setting reverts to, short enough for a button. */
export function initialLabel({ name, initial }: Setting): string {
  const isLong = Array.isArray(initial) && initial.length > 1;
  return isLong ? `${initial.length} paths` : valueLabel(name, initial);
}

/** A value in the list of options. */
export function Value({ name, value }: { name: string; value: unknown }) {
  if (value === redacted) {
    return (
      <span class="quiet">
        <span aria-hidden>{redacted}</span> set, not shown
      </span>
    );
  }
  if (name === "database" && value === null) return <>SQLite in the data folder</>;
  if (Array.isArray(value) && value.length > 0) return <List items={value.map(String)} />;
  const text = valueLabel(name, value);
  if (typeof value === "string") return <code>{text}</code>;
  if (typeof value === "boolean") return <Switched isOn={value} />;
  const note = noteOf(name, value);
  return (
    <>
      <span class={text === "none" ? "quiet" : ""}>{text}</span>
      {note !== undefined && <span class="hint config-note">{note}</span>}
    </>
  );
}

function Switched({ isOn }: { isOn: boolean }) {
  return (
    <span class={`status ${isOn ? "good" : "quiet"}`}>
      <Icon name={isOn ? "check" : "close"} />
      {isOn ? "on" : "off"}
    </span>
  );
}

const shown = 8;

function List({ items }: { items: readonly string[] }) {
  return (
    <ul class="cluster gap-4 chips">
      {items.slice(0, shown).map((item, index) => (
        <li key={index}>
          <code>{item}</code>
        </li>
      ))}
      {items.length > shown && <li class="hint">and {items.length - shown} more</li>}
    </ul>
  );
}

/** The old and the new value; for lists, the added and the removed items. */
export function BeforeAfter({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  if (Array.isArray(before) && Array.isArray(after)) return <ListChange before={before} after={after} />;
  return (
    <span class="config-change cluster gap-4 small-icons">
      <del>{valueLabel(name, before)}</del>
      <Icon name="right" label="to" />
      <ins>{valueLabel(name, after)}</ins>
    </span>
  );
}

function ListChange({ before, after }: { before: readonly unknown[]; after: readonly unknown[] }) {
  const added = after.filter((item) => !before.includes(item)).map(String);
  const removed = before.filter((item) => !after.includes(item)).map(String);
  return (
    <ul class="config-change cluster gap-4">
      {added.map((item) => (
        <li key={`+${item}`}>
          <ins>
            <span class="config-sign">added</span> {item}
          </ins>
        </li>
      ))}
      {removed.map((item) => (
        <li key={`-${item}`}>
          <del>
            <span class="config-sign">removed</span> {item}
          </del>
        </li>
      ))}
      {added.length + removed.length === 0 && <li class="hint">the same paths in another order</li>}
    </ul>
  );
}
