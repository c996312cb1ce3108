import type { JSX } from "preact";
import { CopyButton } from "../../ui/button.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** What it is, for those who cannot see it, and on the button that copies it. */
  readonly label: string;
  readonly isJson?: boolean;
}

/** Something to read and to copy. It may come from elsewhere, so it is only ever shown as text. */
export function CodeBlock({ text, label, isJson = false }: CodeBlockProps) {
  return (
    <div class="with-copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section class="source" tabIndex={0} aria-label={label}>
        <pre>{isJson && text.length <= colourful ? colour(text) : text}</pre>
      </section>
      <CopyButton text={text} name={`Copy: ${label}`} />
    </div>
  );
}

/** Beyond this a page would get slow for the sake of a few colours. */
const colourful = 40_000;

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

function colour(text: string): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon = ""] = match;
    const look = quoted === undefined ? "json-value" : colon === "" ? "json-text" : "json-key";
    parts.push(
      text.slice(at, match.index),
      <span key={at} class={look}>
        {quoted ?? whole}
      </span>,
      colon,
    );
    at = match.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
