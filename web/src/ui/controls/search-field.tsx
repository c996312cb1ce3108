import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { param, setParams } from "../../state/address.ts";
import { Icon } from "../icon.tsx";

interface SearchFieldProps {
  /** What is searched, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
}

const pauseMs = 250;

/** A field for the parameter `q` of the address. It searches when the user stops typing for a moment. */
export function SearchField({ label, placeholder }: SearchFieldProps) {
  const asked = param("q") ?? "";
  const [text, setText] = useState(asked);
  const known = useRef(asked);
  // Links and the back button also change the address. The search of this field must not replace what is typed since.
  useLayoutEffect(() => {
    if (asked !== known.current) setText(asked);
    known.current = asked;
  }, [asked]);
  useEffect(() => {
    if (text === asked) return;
    const search = () => {
      known.current = text.trim();
      setParams({ q: known.current }, { replace: true });
    };
    const timer = setTimeout(search, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="search-field">
      <Icon name="search" />
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        data-search
        maxLength={300}
        spellcheck={false}
        autocomplete="off"
        placeholder={placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
