import type { ComponentChildren } from "preact";
import { Refusal, Unreachable } from "../data/api.ts";
import type { Query } from "../data/query.ts";
import { isCutOff } from "../state/live.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What will appear here, and why there is nothing yet. */
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** Stands where there is nothing to show. */
export function Empty({ icon = "info", title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children && <p class="hint">{children}</p>}
      {action}
    </div>
  );
}

/** What went wrong, and how to try again. That the server is gone is said above the page, and not by each of its parts. */
export function Problem({ error, retry }: { error: Error; retry?: () => void }) {
  if (isToldAbove(error)) return null;
  const trace = error instanceof Refusal ? error.traceId : undefined;
  return (
    <div class="problem" role="alert">
      <Icon name="warn" />
      <p>
        {error.message}
        {trace && <span class="hint"> Trace {trace}</span>}
      </p>
      {retry && (
        <Button onClick={retry} icon="restore">
          Try again
        </Button>
      )}
    </div>
  );
}

const isToldAbove = (error: Error) => error instanceof Unreachable && isCutOff.value;

/** Grey lines in the place of what is being asked for. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton" />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly lines?: number;
  /** Draws the answer. */
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Shows what was asked for: the answer, or that it is coming, or why it is not. An answer that is there stays while a
 * newer one is asked for, also when that fails; then it is said above it.
 */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  const { data, error, reload } = query;
  if (data === undefined && error && !isToldAbove(error)) return <Problem error={error} retry={reload} />;
  if (data === undefined) return <Loading {...(lines !== undefined && { lines })} />;
  return (
    <>
      {error && <Problem error={error} retry={reload} />}
      {children(data)}
    </>
  );
}
