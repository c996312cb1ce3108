import "./query-bar.css";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../ui/button.tsx";
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
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => setText(value), [value]);

  const { start, end, items } = suggestAt(text, caret, words, valuesOf);
  const isListed = isOpen && items.length > 0;
  const isDraft = text.trim() !== value;
  const { problems } = parseQuery(value, words);

  function search(wanted: string): void {
    setOpen(false);
    setAt(-1);
    setText(wanted.trim());
    onSearch(wanted.trim());
  }
  function take({ insert, isWhole }: Suggestion): void {
    const rest = text.slice(end);
    const next = `${text.slice(0, start)}${insert}${isWhole && rest === "" ? " " : ""}`;
    setText(next + rest);
    setAt(-1);
    setOpen(!isWhole);
    setCaret(next.length);
    // Not left to the next render: the user may have typed on by then, and the caret would jump back.
    field.current!.value = next + rest;
    field.current!.setSelectionRange(next.length, next.length);
    if (isWhole) onSearch((next + rest).trim());
  }
  function press(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") {
      const chosen = isListed ? items[at] : undefined;
      if (chosen) take(chosen);
      else search(text);
    } else if (event.key === "Escape" && isListed) setOpen(false);
    else if (step !== 0 && items.length > 0) {
      setOpen(true);
      setAt((at + step + items.length + (at === -1 && step === -1 ? 1 : 0)) % items.length);
    } else return;
    event.preventDefault();
  }
  function follow(event: { currentTarget: HTMLInputElement }): void {
    setCaret(event.currentTarget.selectionStart ?? 0);
  }

  return (
    <search class="query">
      <div class={`query-field ${problems.length > 0 ? "wrong" : ""}`}>
        <Icon name="search" />
        <input
          ref={field}
          data-search
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={id}
          aria-activedescendant={isListed && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={problems.length > 0}
          aria-describedby={problems.length > 0 ? `${id}-problems` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setAt(-1);
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
        {isDraft && <kbd>Enter</kbd>}
        {text === "" ? (
          <kbd class="wide-only">/</kbd>
        ) : (
          <IconButton name="Clear" icon="close" onClick={() => search("")} />
        )}
      </div>
      <div class="query-list" id={id} role="listbox" aria-label="Suggestions" hidden={!isListed}>
        {isListed &&
          items.map((item, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
            <div
              key={item.label}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Keep the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(item)}
            >
              <span class="mono">{item.label}</span>
              {item.hint && <span class="hint">{item.hint}</span>}
            </div>
          ))}
      </div>
      <div id={`${id}-problems`} role="alert">
        {problems.map((problem) => (
          <p key={problem} class="query-problem">
            <Icon name="warn" />
            {problem}
          </p>
        ))}
      </div>
    </search>
  );
}

/** Shown instead of results if the query is invalid. */
export function NotSearched({ onClear }: { onClear(): void }) {
  return (
    <div class="empty">
      <Icon name="search" />
      <p class="empty-title">The query is not valid</p>
      <p class="hint">Correct the query above, or clear it.</p>
      <Button onClick={onClear}>Clear the query</Button>
    </div>
  );
}
