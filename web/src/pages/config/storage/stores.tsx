import { Fragment } from "preact";
import type { HistorySize } from "../../../../../src/features/metrics/wire.ts";
import type {
  ConfigResponse,
  Storage,
  StoredData,
  StoredTime,
} from "../../../../../src/features/settings/wire.ts";
import type { Colour } from "../../../charts/colours.ts";
import { Meter } from "../../../charts/meter.tsx";
import { capitalize } from "../../../format/capitalize.ts";
import { formatBytes, formatCount, formatPercent, formatSpan, formatWhole } from "../../../format/numbers.ts";
import { hrefTo } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Status } from "../../../ui/status.tsx";
import { limitedBytes } from "./limited-bytes.ts";

interface StoresProps {
  readonly config: ConfigResponse;
  readonly metrics: HistorySize | undefined;
}

/** Stored data with its size, limit and retention. */
export function Stores({ config, metrics }: StoresProps) {
  const { storage } = config;
  const shares = sharesOf(storage);
  const where = storage.engine === "sqlite" ? "SQLite files in the data folder" : "Tables in PostgreSQL";
  const columns: readonly Column<Share>[] = [
    { name: "what", label: "Data", isHead: true, cell: (share) => <What share={share} /> },
    {
      name: "bytes",
      label: "Size",
      isNumber: true,
      cell: ({ bytes, free_bytes: free }) => (
        <>
          {formatBytes(bytes)}
          {free !== undefined && free > 0 && <span class="hint stack wrap">{formatBytes(free)} free</span>}
        </>
      ),
      sortBy: ({ bytes }) => bytes,
    },
    {
      name: "limit",
      label: "Limit",
      cell: (row) => <Limit row={row} metrics={metrics} />,
    },
    {
      name: "kept",
      label: "Retention",
      cell: (row) => (
        <span>
          <Kept row={row} />
        </span>
      ),
    },
  ];
  return (
    <Panel title={`On disk: ${formatBytes(storage.bytes)}`} hint={where} class="storage-kept">
      <div class="storage-bar" aria-hidden>
        {shares.map(({ name, colour, bytes }) => (
          <span key={name} class={colour} style={{ flexGrow: Math.max(bytes / storage.bytes, 0.004) }} />
        ))}
      </div>
      <Table caption="Stored data" columns={columns} rows={shares} keyOf={({ name }) => name} sort="-bytes" />
      <Disk />
    </Panel>
  );
}

/** Colours of the stores, in the order of their declaration. */
const colours: readonly Colour[] = ["blue", "teal", "violet", "amber", "red"];
const ownerColours: Readonly<Partial<Record<StoredData["owner"], Colour>>> = {
  others: "pink",
  application: "grey",
};

interface Share extends StoredData {
  readonly colour: Colour;
}

function sharesOf({ stores }: Storage): readonly Share[] {
  const shares = stores.map((row, index): Share => {
    return { ...row, colour: ownerColours[row.owner] ?? colours[index % colours.length]! };
  });
  // Like the table, which the bar is next to.
  return shares.sort((one, other) => other.bytes - one.bytes);
}

function What({ share: { title, colour, parts } }: { share: Share }) {
  const names = parts.filter((name) => !/-(wal|shm)$/.test(name));
  return (
    <div class="row baseline">
      <span class={`swatch ${colour}`} aria-hidden />
      <span>
        {title}
        <span class="hint stack wrap">
          {names.slice(0, 6).join(", ")}
          {names.length > 6 && ` and ${names.length - 6} more`}
        </span>
      </span>
    </div>
  );
}

/** What the limits are doing, and what does not fit. */
function LimitNotes({ row: { removing, early } }: { row: StoredData }) {
  return (
    <>
      {removing?.map((removal) => (
        <Status key={removal.unit} tone="busy">
          removing: {removalText(removal)}
        </Status>
      ))}
      {early?.map((sentence) => (
        <Status key={sentence} tone="warn">
          {sentence}
        </Status>
      ))}
    </>
  );
}

type Removal = NonNullable<StoredData["removing"]>[number];

/** "412 of 868 MB", or "1,200 of about 8,000 runs". */
function removalText({ done, total, unit, estimated }: Removal): string {
  const [some, all] =
    unit === undefined ? [formatBytes(done), formatBytes(total)] : [formatWhole(done), formatWhole(total)];
  return `${some} of ${estimated ? "about " : ""}${all}${unit === undefined ? "" : ` ${unit}`}`;
}

function Limit({ row, metrics }: { row: StoredData; metrics: HistorySize | undefined }) {
  return (
    <span class="share stack gap-2">
      <LimitedSize row={row} metrics={metrics} />
      <LimitNotes row={row} />
    </span>
  );
}

function LimitedSize({ row, metrics }: { row: StoredData; metrics: HistorySize | undefined }) {
  const bytes = limitedBytes(row, metrics);
  if (row.limit === undefined || bytes === undefined) return <span class="quiet">no size limit</span>;
  const { max_bytes: most, of } = row.limit;
  const text = `${formatBytes(bytes)} of ${formatBytes(most)}`;
  return (
    <>
      <Meter ratio={bytes / most} label={text} />
      <span>
        {text} <span class="hint">{[formatPercent(bytes / most), of].filter(Boolean).join(", ")}</span>
      </span>
    </>
  );
}

function Kept({ row: { owner, retention } }: { row: StoredData }) {
  if (owner === "application") return <>Managed by the application</>;
  return (
    <>
      {retention.map((time, index) => (
        <Fragment key={index}>
          {index > 0 && ", "}
          <KeptFor time={time} isFirst={index === 0} />
        </Fragment>
      ))}
    </>
  );
}

function KeptFor({ time, isFirst }: { time: StoredTime; isFirst: boolean }) {
  const { of, option, ms = 0, words, note } = time;
  const start = [of, words ?? "for"].filter(Boolean).join(" ");
  return (
    <>
      {isFirst ? capitalize(start) : start}
      {option !== undefined && (
        <>
          {" "}
          <a href={hrefTo("config", { option })}>{formatSpan(ms)}</a>
        </>
      )}
      {note !== undefined && `, ${note}`}
    </>
  );
}

/** The disk that contains the data. */
function Disk() {
  const { data } = useQuery("/_/_/data/disk", {}, { every: 60_000 });
  if (data?.free_bytes === undefined || data.total_bytes === undefined) return null;
  const { free_bytes: free, total_bytes: total } = data;
  const { growth_bytes_per_day: growth, days_to_full: days } = data;
  return (
    <section class="stack gap-4" aria-label="The disk of the data folder">
      <p>
        The disk of the data folder has <b>{formatBytes(free)}</b> free of {formatBytes(total)}.{" "}
        {growth === undefined
          ? "Not growing noticeably."
          : `Usage grows by ${formatBytes(growth)} per day${days === undefined ? "" : `, and the disk will be full in about ${formatCount(Math.round(days))} days`}.`}
      </p>
      <Meter ratio={1 - free / total} label="Disk in use" />
    </section>
  );
}
