import { useQuery } from "../data/query.ts";
import type { LogRecord } from "../data/records.ts";
import { formatCount } from "../format/numbers.ts";
import { hrefTo } from "../state/address.ts";
import { Status } from "../ui/status.tsx";

interface ErrorGroup {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly count: number;
}

const dayMs = 86_400_000;

/** What failed, and the group of errors that it belongs to. */
export function ErrorPart({ records }: { records: readonly LogRecord[] }) {
  const failed = records.find(({ event }) => event === "error");
  return failed ? <Failure record={failed} /> : null;
}

function Failure({ record }: { record: LogRecord }) {
  const { error } = record as { error?: { name?: string; message?: string; stack?: string } };
  const time = Date.parse(record.time);
  const to = Math.ceil(time / 60_000) * 60_000 + 60_000;
  const text = error?.message?.slice(0, 200) || undefined;
  const { data } = useQuery<{ errors: readonly ErrorGroup[] }>(text ? "/_/_/data/errors" : null, {
    from: to - dayMs,
    to,
    text,
    points: 1,
  });
  const group = data?.errors.find(({ type, message }) => type === error?.name || message === error?.message);
  return (
    <section class="trace-error">
      <h3>
        <Status tone="bad">{error?.name ?? "Error"}</Status>
      </h3>
      <p>{error?.message ?? record.msg}</p>
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
