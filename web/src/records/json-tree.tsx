import "./records.css";
import { useState } from "preact/hooks";
import { formatWhole } from "../format/numbers.ts";
import { CopyButton, IconButton } from "../ui/controls/button.tsx";

/** Searches for records with, or without, this value in this field. */
export type OnFilter = (field: string, value: string, isNegated: boolean) => void;

interface JsonTreeProps {
  readonly value: object;
  /** Field names that lead here, separated by dots. */
  readonly path?: string;
  readonly onFilter?: OnFilter | undefined;
}

/** More entries than this are shown on request. */
const mostEntries = 50;
const mostLetters = 400;

/** The fields of a record, including nested ones. Each value can be copied, searched for and excluded. */
export function JsonTree({ value, path = "", onFilter }: JsonTreeProps) {
  const [isWhole, setWhole] = useState(false);
  const entries = Object.entries(value);
  const shown = isWhole ? entries : entries.slice(0, mostEntries);
  return (
    <ul class="json stack gap-0">
      {shown.map(([name, inner]) => (
        <JsonEntry
          key={name}
          name={name}
          value={inner}
          path={path === "" ? name : `${path}.${name}`}
          onFilter={onFilter}
        />
      ))}
      {shown.length < entries.length && (
        <li>
          <button type="button" class="link-button" onClick={() => setWhole(true)}>
            Show all {formatWhole(entries.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

interface JsonEntryProps {
  readonly name: string;
  readonly value: unknown;
  readonly path: string;
  readonly onFilter: OnFilter | undefined;
}

function JsonEntry({ name, value, path, onFilter }: JsonEntryProps) {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    return (
      <li>
        <span class="json-name">{name}</span>
        <JsonTree value={value} path={path} onFilter={onFilter} />
      </li>
    );
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <li class="json-leaf">
      <span class="json-name">{name}</span>
      <LongText text={text} look={`json-value ${value === null ? "null" : typeof value}`} />
      <span class="json-acts row inline gap-0 slim">
        {onFilter && path !== "time" && (
          <>
            <IconButton
              name={`Only ${path}: ${cut(text)}`}
              icon="filter"
              onClick={() => onFilter(path, text, false)}
            />
            <IconButton
              name={`Without ${path}: ${cut(text)}`}
              icon="idle"
              onClick={() => onFilter(path, text, true)}
            />
          </>
        )}
        <CopyButton text={text} name={`Copy ${path}`} />
      </span>
    </li>
  );
}

const cut = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A long text is truncated until the user expands it. */
function LongText({ text, look }: { text: string; look: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > mostLetters * 1.2;
  return (
    <span class={look}>
      {isCut ? `${text.slice(0, mostLetters)}…` : text}
      {isCut && (
        <button type="button" class="link-button" onClick={() => setWhole(true)}>
          Show all {formatWhole(text.length)} characters
        </button>
      )}
    </span>
  );
}
