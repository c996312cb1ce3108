import type { ComponentChildren } from "preact";
import { useArrowKeys } from "./arrow-keys.ts";

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: ComponentChildren;
  /** Full text for a short label. */
  readonly title?: string;
}

interface ChoiceProps<Value extends string> {
  /** Label for screen readers. */
  readonly name: string;
  readonly value: Value | undefined;
  readonly options: readonly Option<Value>[];
  onChoose(value: Value): void;
}

/** A choice between a few options, side by side. */
export function Choice<Value extends string>({ name, value, options, onChoose }: ChoiceProps<Value>) {
  const group = useArrowKeys<HTMLDivElement>();
  return (
    <div class="choice" role="toolbar" aria-label={name} ref={group}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          title={option.title}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

interface TabsProps<Value extends string> extends ChoiceProps<Value> {
  readonly children: ComponentChildren;
}

/** Tabs of a page. The arrow keys move between them. */
export function Tabs<Value extends string>({ name, value, options, onChoose, children }: TabsProps<Value>) {
  function move(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = options.findIndex((option) => option.value === value);
    const next = options[(at + step + options.length) % options.length]!;
    onChoose(next.value);
    document.getElementById(`tab-${next.value}`)?.focus();
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={name} onKeyDown={move}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            role="tab"
            id={`tab-${option.value}`}
            aria-selected={option.value === value}
            aria-controls="tab-panel"
            tabIndex={option.value === value ? 0 : -1}
            onClick={() => onChoose(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
      <div class="stack gap-11" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${value}`}>
        {children}
      </div>
    </>
  );
}
