import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "good" | "warn" | "bad" | "info" | "quiet" | "busy";

const icons = {
  good: "good",
  warn: "warn",
  bad: "bad",
  info: "info",
  quiet: "idle",
  busy: "running",
} as const satisfies Record<Tone, IconName>;

/** A state as drawing, word and colour, so that none of them has to be seen. */
export function Status({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <Icon name={icons[tone]} />
      {children}
    </span>
  );
}

/** A short word about what it stands beside. */
export function Badge({ tone = "quiet", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

export function Method({ method }: { method: string }) {
  return <span class={`method ${methods.has(method) ? method.toLowerCase() : ""}`}>{method}</span>;
}

export function toneOfCode(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "info" : "good";
}

/** The code of an answer. The class of the code is its first digit, so the number says what the colour says. */
export function StatusCode({ status }: { status: number }) {
  return <span class={`code ${toneOfCode(status)}`}>{status}</span>;
}
