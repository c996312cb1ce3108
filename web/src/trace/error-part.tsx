import type { LogRecord } from "../../../src/features/logging/wire.ts";
import { formatCount } from "../format/numbers.ts";
import { hrefTo } from "../state/address.ts";
import { useQuery } from "../state/query.ts";
import { Status } from "../ui/status.tsx";
import { whileFresh } from "./trace-data.ts";

interface LoggedError {
  readonly name?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

const dayMs = 86_400_000;

/** The error of the request, with a link to its error group. */
export function ErrorPart({ records }: { records: readonly LogRecord[] }) {
  const failed = records.find(({ event }) => event === "error");
  return failed ? <Failure record={failed} /> : null;
}

function Failure({ record }: { record: LogRecord }) {
  const { error } = record as { error?: LoggedError };
  const time = Date.parse(record.time);
  const to = Math.ceil(time / 60_000) * 60_000 + 60_000;
  const text = error?.message?.slice(0, 200) || undefined;
  const asked = { from: to - dayMs, to, text, points: 1 };
  const path = text ? "/_/_/data/errors" : null;
  const { data } = useQuery(path, asked, whileFresh(time));
  const group = data?.errors.find(({ type, message }) => type === error?.name || message === error?.message);
  return (
    <section class="failure">
      <h3>
        <Status tone="bad">{error?.name ?? "Error"}</Status>
      </h3>
      <p>{error?.message ?? record.msg}</p>
      {causesOf(error).map(({ name, message }, index) => (
        <p key={index}>
          <span class="hint">Caused by</span> <b>{name}</b> {message}
        </p>
      ))}
      {group && (
        <p>
          <a href={hrefTo("errors", { error: group.fingerprint })}>
            See this error: {group.count === 1 ? "once" : `${formatCount(group.count)} times`} in 24 hours
          </a>
        </p>
      )}
    </section>
  );
}

/** The chain of causes from the record. A cause can be any value. */
function causesOf(error: LoggedError | undefined): readonly LoggedError[] {
  const causes: LoggedError[] = [];
  for (let cause = error?.cause; cause !== undefined && cause !== null; cause = causes.at(-1)?.cause) {
    causes.push(isLoggedError(cause) ? cause : { message: formatCause(cause) });
  }
  return causes;
}

function isLoggedError(cause: unknown): cause is LoggedError {
  return typeof cause === "object" && cause !== null && typeof (cause as LoggedError).message === "string";
}

function formatCause(cause: unknown): string {
  return typeof cause === "string" ? cause : JSON.stringify(cause);
}
