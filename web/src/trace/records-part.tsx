import { useState } from "preact/hooks";
import type { LogRecord } from "../../../src/features/logging/wire.ts";
import { formatPrecise } from "../format/times.ts";
import { addToken } from "../query-bar/tokens.ts";
import { JsonTree } from "../records/json-tree.tsx";
import { nameRecords } from "../records/named-record.ts";
import { LevelWord, RecordSummary, shownFields } from "../records/record-line.tsx";
import { tokenOf } from "../records/value-token.ts";
import { go, hrefTo } from "../state/address.ts";
import type { Trace } from "./trace-data.ts";

interface RecordsPartProps extends Pick<Trace, "recording" | "isLoading"> {
  readonly records: readonly LogRecord[];
}

/** Log records of the trace, including those written after the response. */
export function RecordsPart({ records, recording, isLoading }: RecordsPartProps) {
  return (
    <section>
      <h3>
        Log records <span class="hint">{records.length > 0 && records.length}</span>
      </h3>
      {records.length === 0 && <p class="hint">{isLoading ? "Searching…" : whyNone(recording)}</p>}
      <ul class="trace-records divided">
        {nameRecords(records.toReversed())
          .reverse()
          .map(({ id, record }) => (
            <li key={id}>
              <RecordDetails record={record} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function whyNone(recording: Trace["recording"]): string {
  if (recording && !recording.stored) return "Records are not stored (log.store is false).";
  if (recording && !recording.requests)
    return `It logged nothing at level ${recording.level} or above. Requests themselves are recorded at level debug only.`;
  return "None are stored yet. They usually arrive within a second or two.";
}

function RecordDetails({ record }: { record: LogRecord }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="row">
        <time class="hint mono" dateTime={record.time}>
          {formatPrecise(Date.parse(record.time))}
        </time>
        <LevelWord level={record.level} />
        <RecordSummary record={record} />
      </summary>
      {isOpen && (
        <JsonTree
          value={shownFields(record)}
          onFilter={(field, value, isNegated) => {
            const { name, text, isPlain } = tokenOf(record, field, value);
            go(hrefTo("logs", { q: addToken("", name, text, { isNegated, isPlain }) }));
          }}
        />
      )}
    </details>
  );
}
