import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  /** A sentence under the title. */
  readonly hint?: ComponentChildren;
  /** To the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A titled section of a page. */
export function Panel({ title, hint, actions, children, class: extra = "" }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${extra}`} aria-labelledby={id}>
      <header class="panel-head">
        <div>
          <h2 id={id}>{title}</h2>
          {hint && <p class="hint">{hint}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** The title of a page, with its description and its actions. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}
