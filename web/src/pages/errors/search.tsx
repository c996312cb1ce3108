import { useEffect, useState } from "preact/hooks";
import { param, setParams } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";

const pauseMs = 250;

/** Searches when somebody stops writing for a moment. */
export function Search() {
  const asked = param("q") ?? "";
  const [text, setText] = useState(asked);
  // The address may change by other ways: a link, or the way back.
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => setParams({ q: text.trim() }, { replace: true }), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="error-search">
      <Icon name="search" />
      <span class="visually-hidden">Search the errors</span>
      <input
        type="search"
        data-search
        maxLength={300}
        spellcheck={false}
        autocomplete="off"
        placeholder="Type, message, route or job"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
