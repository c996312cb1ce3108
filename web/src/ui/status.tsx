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

/** A state as icon, text and colour, so that it does not depend on any one of them. */
export function Status({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <Icon name={icons[tone]} />
      {children}
    </span>
  );
}

/** A short label next to its subject. */
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

/** A response status. The colour repeats the class, which the first digit shows. */
export function StatusCode({ status }: { status: number }) {
  return <span class={`code ${toneOfCode(status)}`}>{status}</span>;
}
