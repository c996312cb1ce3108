import type { ComponentChildren } from "preact";
import { ConnectionError, HttpError } from "../../data/api.ts";
import { isCutOff } from "../../state/live.ts";
import type { Query } from "../../state/query.ts";
import { Button } from "../controls/button.tsx";
import { Icon, type IconName } from "../icon.tsx";

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What will appear here, and why it is empty. */
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** Placeholder for missing content. */
export function Empty({ icon = "info", title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="strong">{title}</p>
      {children && <p class="hint">{children}</p>}
      {action}
    </div>
  );
}

/** An error with a retry button. Connection errors are shown once by the shell, not by each part. */
export function Problem({ error, retry }: { error: Error; retry?: () => void }) {
  if (isShownByShell(error)) return null;
  const trace = error instanceof HttpError ? error.traceId : undefined;
  return (
    <div class="problem alert cluster bad" role="alert">
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

const isShownByShell = (error: Error) => error instanceof ConnectionError && isCutOff.value;

/** Placeholder lines while data is loading. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div class="stack" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton" />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly lines?: number;
  /** Renders the data. */
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Renders the data of a query, a placeholder while it is loading, or its error. Data stays visible during a reload; if
 * the reload fails, the error is shown above it.
 */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  const { data, error, reload } = query;
  if (data === undefined && error && !isShownByShell(error)) return <Problem error={error} retry={reload} />;
  if (data === undefined) return <Loading {...(lines !== undefined && { lines })} />;
  return (
    <>
      {error && <Problem error={error} retry={reload} />}
      {children(data)}
    </>
  );
}
