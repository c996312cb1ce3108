import { useEffect, useState } from "preact/hooks";
import { useListbox } from "./listbox.ts";

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
  const [choosesWhenLoaded, setChoosesWhenLoaded] = useState(false);
  const matching = isOpen ? findMatching(options ?? [], text) : [];
  const listbox = useListbox({ label, items: matching, onChoose: choose });
  useEffect(() => {
    if (options && choosesWhenLoaded) choose(listbox.active ?? text);
  }, [options]);

  function choose(value: string): void {
    setText(value);
    setOpen(false);
    setChoosesWhenLoaded(false);
    if (value.trim() !== "") onChoose(value.trim());
  }
  function press(event: KeyboardEvent): void {
    if (event.key === "Enter" && !options) setChoosesWhenLoaded(true);
    else if (event.key === "Enter") choose(listbox.active ?? text);
    // The first Escape closes the list; the next one closes the dialog.
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else if (listbox.move(event)) setOpen(true);
    else return;
    event.preventDefault();
  }

  return (
    <div class="stack gap-4">
      <label class="field">
        {label}
        <input
          {...listbox.field}
          autofocus
          aria-autocomplete="list"
          aria-invalid={problem !== undefined}
          aria-describedby={problem && `${listbox.id}-problem`}
          placeholder={placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            listbox.reset();
            setChoosesWhenLoaded(false);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={press}
        />
      </label>
      <div {...listbox.list} class="card" hidden={matching.length === 0}>
        {matching.map((option, index) => (
          <div key={option} {...listbox.option(index)}>
            {option}
          </div>
        ))}
      </div>
      {problem && (
        <p class="field-problem" id={`${listbox.id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Options that contain every typed word, regardless of separators. */
function findMatching(options: readonly string[], text: string): readonly string[] {
  const plain = (value: string) => value.toLowerCase().replaceAll(/[/_\s-]+/g, " ");
  const words = plain(text).split(" ").filter(Boolean);
  return options.filter((option) => words.every((word) => plain(option).includes(word))).slice(0, shown);
}
