import type { JSX } from "preact";
import { CopyButton } from "../ui/controls/button.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** Label for screen readers and for the copy button. */
  readonly label: string;
  readonly isJson?: boolean;
}

/** Text to read and copy. It may come from untrusted sources, so it is only rendered as text. */
export function CodeBlock({ text, label, isJson = false }: CodeBlockProps) {
  return (
    <div class="with-copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="source" tabIndex={0} aria-label={label}>
        <pre>{isJson && text.length <= colourful ? colour(text) : text}</pre>
      </section>
      <CopyButton text={text} name={`Copy: ${label}`} />
    </div>
  );
}

/** Highlighting longer texts would slow down the page. */
const colourful = 40_000;

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

function colour(text: string): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon = ""] = match;
    const look = quoted === undefined ? "schema-type" : colon === "" ? "good" : "info";
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
