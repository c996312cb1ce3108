import { useEffect, useId, useState } from "preact/hooks";

interface ListboxOptions<Item> {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  /** Whether the list is shown. Default: if there are items. */
  readonly isOpen?: boolean;
  /** The option that is active before the user presses a key. Default: the first. */
  readonly start?: "first" | "none";
  onChoose(item: Item): void;
}

/** The options of a text field. The field keeps the focus; one of the options is active. */
export interface Listbox<Item> {
  readonly id: string;
  /** The active option; undefined if there is none or the list is closed. */
  readonly active: Item | undefined;
  /** Attributes of the text field. */
  readonly field: {
    readonly role: "combobox";
    readonly "aria-expanded": boolean;
    readonly "aria-controls": string;
    readonly "aria-activedescendant": string | undefined;
    readonly autocomplete: "off";
    readonly spellcheck: false;
  };
  /** Attributes of the list. */
  readonly list: { readonly id: string; readonly role: "listbox"; readonly "aria-label": string };
  /** Attributes of an option. */
  option(index: number): {
    readonly id: string;
    readonly role: "option";
    readonly tabIndex: -1;
    readonly "aria-selected": boolean;
    onClick(): void;
  };
  /** Moves with the arrow keys, around the ends. Returns whether the key was one of them. */
  move(event: KeyboardEvent): boolean;
  activate(index: number): void;
  /** Returns to the start, for other items. */
  reset(): void;
}

/** The keyboard and ARIA behaviour of a list of options below a text field. */
export function useListbox<Item>(options: ListboxOptions<Item>): Listbox<Item> {
  const { label, items, isOpen = true, start = "first", onChoose } = options;
  const first = start === "first" ? 0 : -1;
  const [at, setAt] = useState(first);
  const id = useId();
  const active = Math.min(at, items.length - 1);
  const isShown = isOpen && items.length > 0;
  const idOf = (index: number) => `${id}-${index}`;
  useEffect(() => document.getElementById(idOf(active))?.scrollIntoView({ block: "nearest" }), [active]);

  return {
    id,
    active: isShown ? items[active] : undefined,
    field: {
      role: "combobox",
      "aria-expanded": isShown,
      "aria-controls": id,
      "aria-activedescendant": isShown && active >= 0 ? idOf(active) : undefined,
      autocomplete: "off",
      spellcheck: false,
    },
    list: { id, role: "listbox", "aria-label": label },
    option: (index) => ({
      id: idOf(index),
      role: "option",
      tabIndex: -1,
      "aria-selected": index === active,
      onClick: () => onChoose(items[index]!),
    }),
    move(event) {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step === 0) return false;
      event.preventDefault();
      setAt(nextIndex(active, step, items.length));
      return true;
    },
    activate: setAt,
    reset: () => setAt(first),
  };
}

/** With no active option, the arrow keys start at the first or the last one. */
function nextIndex(active: number, step: 1 | -1, count: number): number {
  if (count === 0) return 0;
  return active === -1 && step === -1 ? count - 1 : (active + step + count) % count;
}
