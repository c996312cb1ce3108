import "./query-bar.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { useListbox } from "../ui/controls/listbox.ts";
import { Icon } from "../ui/icon.tsx";
import { parseQuery, type Vocabulary } from "./parse.ts";
import { type Suggestion, suggestAt, type ValuesOf } from "./suggest.ts";

interface QueryBarProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly words: Vocabulary;
  readonly valuesOf: ValuesOf;
  onSearch(text: string): void;
}

/** Search field with suggestions. Invalid queries show an error below the field and are not searched. */
export function QueryBar({ label, placeholder, value, words, valuesOf, onSearch }: QueryBarProps) {
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Before the next frame, so that it does not replace what is typed since. The space after a word stays.
  useLayoutEffect(() => setText((before) => (before.trim() === value ? before : value)), [value]);

  const { start, end, items } = suggestAt(text, caret, words, valuesOf);
  const listbox = useListbox({ label: "Suggestions", items, isOpen, start: "none", onChoose: take });
  const isListed = listbox.field["aria-expanded"];
  const isDraft = text.trim() !== value;
  const { problems } = parseQuery(value, words);

  function search(wanted: string): void {
    setOpen(false);
    listbox.reset();
    setText(wanted.trim());
    onSearch(wanted.trim());
  }
  function take({ insert, isWhole }: Suggestion): void {
    const rest = text.slice(end);
    const next = `${text.slice(0, start)}${insert}${isWhole && rest === "" ? " " : ""}`;
    setText(next + rest);
    listbox.reset();
    setOpen(!isWhole);
    setCaret(next.length);
    // Not left to the next render: the user may have typed on by then, and the caret would jump back.
    field.current!.value = next + rest;
    field.current!.setSelectionRange(next.length, next.length);
    if (isWhole) onSearch((next + rest).trim());
  }
  function press(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      if (listbox.active) take(listbox.active);
      else search(text);
    } else if (event.key === "Escape" && isListed) setOpen(false);
    else if (items.length > 0 && listbox.move(event)) setOpen(true);
    else return;
    event.preventDefault();
  }
  function follow(event: { currentTarget: HTMLInputElement }): void {
    setCaret(event.currentTarget.selectionStart ?? 0);
  }

  return (
    <search class="query stack gap-4">
      <div class={`search-field query-field ${problems.length > 0 ? "wrong" : ""}`}>
        <Icon name="search" />
        <input
          {...listbox.field}
          ref={field}
          data-search
          aria-label={label}
          aria-autocomplete="list"
          aria-invalid={problems.length > 0}
          aria-describedby={problems.length > 0 ? `${listbox.id}-problems` : undefined}
          autocapitalize="off"
          placeholder={placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            listbox.reset();
            follow(event);
          }}
          onKeyDown={press}
          onKeyUp={follow}
          onClick={(event) => {
            setOpen(true);
            follow(event);
          }}
          onBlur={() => {
            setOpen(false);
            if (isDraft) search(text);
          }}
        />
        <FieldEnd isDraft={isDraft} isEmpty={text === ""} onClear={() => search("")} />
      </div>
      <div {...listbox.list} class="query-list" hidden={!isListed}>
        {isListed &&
          items.map((item, index) => (
            // Keep the focus in the field.
            <div
              key={item.label}
              {...listbox.option(index)}
              onPointerDown={(event) => event.preventDefault()}
            >
              <span class="mono">{item.label}</span>
              {item.hint && <span class="hint">{item.hint}</span>}
            </div>
          ))}
      </div>
      <Problems id={`${listbox.id}-problems`} problems={problems} />
    </search>
  );
}

/** The keys that can be pressed, and the button that clears the field. */
function FieldEnd({ isDraft, isEmpty, onClear }: { isDraft: boolean; isEmpty: boolean; onClear(): void }) {
  return (
    <>
      {isDraft && <kbd>Enter</kbd>}
      {isEmpty ? <kbd class="wide-only">/</kbd> : <IconButton name="Clear" icon="close" onClick={onClear} />}
    </>
  );
}

/** The error of each part of the query that is not valid. */
function Problems({ id, problems }: { id: string; problems: readonly string[] }) {
  return (
    <div id={id} role="alert">
      {problems.map((problem) => (
        <p key={problem} class="note bad wrap">
          <Icon name="warn" />
          {problem}
        </p>
      ))}
    </div>
  );
}

/** Shown instead of results if the query is invalid. */
export function NotSearched({ onClear }: { onClear(): void }) {
  return (
    <div class="empty">
      <Icon name="search" />
      <p class="strong">The query is not valid</p>
      <p class="hint">Correct the query above, or clear it.</p>
      <Button onClick={onClear}>Clear the query</Button>
    </div>
  );
}
