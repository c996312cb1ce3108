import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { LogRecord } from "../../../../src/features/logging/wire.ts";
import { formatDay, formatPrecise } from "../../format/times.ts";
import { JsonTree } from "../../records/json-tree.tsx";
import type { NamedRecord } from "../../records/named-record.ts";
import { LevelWord, RecordSummary, shownFields } from "../../records/record-line.tsx";
import { hrefTo } from "../../state/address.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { CopyButton } from "../../ui/controls/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { VirtualRows } from "../../ui/lists/virtual-rows.ts";
import type { OpenRecords } from "./open-records.ts";

interface RecordListProps {
  readonly records: readonly NamedRecord[];
  readonly virtual: VirtualRows;
  readonly open: OpenRecords;
  /** The URL that shows the trace next to the list. */
  hrefOf(trace: string): string;
  onFilter(record: LogRecord, field: string, value: string, isNegated: boolean): void;
}

/** Renders only visible records and reserves the space of the others. */
export function RecordList({ records, virtual, open, hrefOf, onFilter }: RecordListProps) {
  const { first, end, before, after, top } = virtual;
  return (
    <ol
      class="records"
      ref={top as RefObject<HTMLOListElement>}
      aria-label="Records, the newest first"
      style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}
    >
      {records.slice(first, end).map((named, index) => (
        <Item
          key={named.id}
          named={named}
          isOpen={open.heights.has(named.id)}
          place={{ "aria-posinset": first + index + 1, "aria-setsize": records.length }}
          open={open}
          hrefOf={hrefOf}
          onFilter={onFilter}
        />
      ))}
    </ol>
  );
}

interface ItemProps extends Pick<RecordListProps, "open" | "hrefOf" | "onFilter"> {
  readonly named: NamedRecord;
  readonly isOpen: boolean;
  readonly place: { readonly "aria-posinset": number; readonly "aria-setsize": number };
}

function Item({ named: { id, time, record }, isOpen, place, open, hrefOf, onFilter }: ItemProps) {
  const trace = typeof record.trace_id === "string" ? record.trace_id : undefined;
  return (
    <li class={isOpen ? "open" : ""} {...place}>
      <div class="record-row">
        <button
          type="button"
          class="row grow small-icons"
          aria-expanded={isOpen}
          onClick={() => open.toggle(id)}
        >
          <Icon name="right" />
          <time class="quiet" dateTime={record.time} title={formatDay(time)}>
            {formatPrecise(time)}
          </time>
          <LevelWord level={record.level} />
          <RecordSummary record={record} />
        </button>
        {hasSeveral.value && typeof record.instance === "string" && (
          <span class="record-instance quiet small phone-hidden">{record.instance}</span>
        )}
        {trace && (
          <a
            class="record-trace link-row plain-link quiet small"
            href={hrefOf(trace)}
            title={`Details of trace ${trace}`}
          >
            <Icon name="link" />
            <span class="phone-hidden">Trace</span>
          </a>
        )}
      </div>
      {isOpen && (
        <Details id={id} open={open}>
          <p class="record-links cluster gap-11">
            {trace && (
              <>
                <a href={hrefTo("requests", { trace })}>Open full trace</a>
                <a href={hrefTo("logs", { q: `trace:${trace}` })}>All records of this trace</a>
              </>
            )}
            <CopyButton text={JSON.stringify(record, null, 2)} name="Copy the record as JSON" />
          </p>
          <JsonTree
            value={shownFields(record)}
            onFilter={(field, value, isNegated) => onFilter(record, field, value, isNegated)}
          />
        </Details>
      )}
    </li>
  );
}

interface DetailsProps {
  readonly id: string;
  readonly open: OpenRecords;
  readonly children: ComponentChildren;
}

/** Reports its height, so that the list can compute the positions of the other rows. */
function Details({ id, open, children }: DetailsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watched = box.current!;
    const sizes = new ResizeObserver(() => open.setHeight(id, watched.offsetHeight));
    sizes.observe(watched);
    return () => sizes.disconnect();
  }, [id]);
  return (
    <div class="record-details" ref={box}>
      {children}
    </div>
  );
}
