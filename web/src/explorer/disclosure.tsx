import type { ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { Reading } from "./reading.ts";

interface DisclosureProps {
  readonly summary: ComponentChildren;
  /** Whether it is initially open. */
  readonly isOpen?: boolean;
  readonly class?: string;
  readonly id?: string;
  /** Rendered when opened, so that recursive content can be opened step by step. */
  readonly children: () => ComponentChildren;
}

/** An expandable section. */
export function Disclosure({ summary, isOpen = false, class: look = "", id, children }: DisclosureProps) {
  const { isPrinted = false } = useContext(Reading);
  const [shows, setShows] = useState(isOpen || isPrinted);
  return (
    <details
      class={`fold ${look}`}
      id={id}
      open={shows}
      onToggle={(event) => setShows(event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {shows && <div class="fold-inside stack gap-0">{children()}</div>}
    </details>
  );
}
