import "../styles/combobox.css";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface ComboboxProps {
  readonly label: string;
  /** `undefined` while they are loading. */
  readonly options: readonly string[] | undefined;
  readonly placeholder?: string;
  /** Validation message. */
  readonly problem?: string | undefined;
  /** Called with one of the options, or with the typed text if none matches. */
  onChoose(value: string): void;
}

const shown = 60;

/** A text field with a list of matching options below it. */
export function Combobox({ label, options, placeholder, problem, onChoose }: ComboboxProps) {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [choosesWhenLoaded, setChoosesWhenLoaded] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const fitting = isOpen ? findFitting(options ?? [], text) : [];
  const active = Math.min(at, fitting.length - 1);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  useEffect(() => {
    if (options && choosesWhenLoaded) choose(fitting[active] ?? text);
  }, [options]);

  function choose(value: string): void {
    setText(value);
    setOpen(false);
    setChoosesWhenLoaded(false);
    if (value.trim() !== "") onChoose(value.trim());
  }
  function press(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter" && !options) setChoosesWhenLoaded(true);
    else if (event.key === "Enter") choose(fitting[active] ?? text);
    // The first Escape closes the list; the next one closes the dialog.
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else if (step !== 0) {
      setOpen(true);
      setAt((active + step + fitting.length) % Math.max(1, fitting.length));
    } else return;
    event.preventDefault();
  }

  return (
    <div class="combobox">
      <label class="field">
        {label}
        <input
          autofocus
          role="combobox"
          aria-expanded={isOpen && fitting.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={fitting[active] && `${id}-${active}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem && `${id}-problem`}
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setAt(0);
            setChoosesWhenLoaded(false);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={press}
        />
      </label>
      <div
        class="combobox-list"
        id={id}
        ref={list}
        role="listbox"
        aria-label={label}
        hidden={fitting.length === 0}
      >
        {fitting.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          <div
            key={option}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => choose(option)}
          >
            {option}
          </div>
        ))}
      </div>
      {problem && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Options that contain every typed word, regardless of separators. */
function findFitting(options: readonly string[], text: string): readonly string[] {
  const plain = (value: string) => value.toLowerCase().replaceAll(/[/_\s-]+/g, " ");
  const words = plain(text).split(" ").filter(Boolean);
  return options.filter((option) => words.every((word) => plain(option).includes(word))).slice(0, shown);
}
