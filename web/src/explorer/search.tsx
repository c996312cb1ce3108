import { param, setParams } from "../state/address.ts";
import { Icon } from "../ui/icon.tsx";

interface SearchFieldProps {
  readonly name: string;
  readonly placeholder: string;
  readonly found: number;
  readonly all: number;
}

/** The search text is stored in the URL. */
export function SearchField({ name, placeholder, found, all }: SearchFieldProps) {
  const text = param("q") ?? "";
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        type="search"
        data-search
        aria-label={name}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => setParams({ q: event.currentTarget.value }, { replace: true })}
      />
      <span class="hint" role="status">
        {text.trim() === "" ? all : `${found} of ${all}`}
      </span>
    </div>
  );
}

/** Whether a text contains all words of a search. */
export function hasWords(text: string, search: string): boolean {
  const all = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
