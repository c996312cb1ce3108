import type { HistorySize } from "../../../../../src/features/metrics/wire.ts";
import type { ConfigResponse } from "../../../../../src/features/settings/wire.ts";
import { Meter } from "../../../charts/meter.tsx";
import { formatBytes, formatCount, formatPercent, formatSpan } from "../../../format/numbers.ts";
import { hrefTo } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type StoreShare, sharesOf } from "./store-shares.ts";

interface StoresProps {
  readonly config: ConfigResponse;
  readonly metrics: HistorySize | undefined;
}

/** Stored data with its size, limit and retention. */
export function Stores({ config, metrics }: StoresProps) {
  const { storage } = config;
  const shares = sharesOf(storage);
  const where = storage.engine === "sqlite" ? "SQLite files in the data folder" : "Tables in PostgreSQL";
  const columns: readonly Column<StoreShare>[] = [
    { name: "what", label: "Data", isHead: true, cell: (share) => <What share={share} /> },
    {
      name: "bytes",
      label: "Size",
      isNumber: true,
      cell: ({ bytes }) => formatBytes(bytes),
      sortBy: ({ bytes }) => bytes,
    },
    {
      name: "limit",
      label: "Limit",
      cell: ({ name, bytes }) => <Limit {...limitOf(name, bytes, config, metrics)} />,
    },
    {
      name: "kept",
      label: "Retention",
      cell: ({ name }) => (
        <span>
          <Kept name={name} config={config} />
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

function What({ share: { title, colour, parts } }: { share: StoreShare }) {
  const names = parts.map(({ name }) => name).filter((name) => !/-(wal|shm)$/.test(name));
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

interface Room {
  readonly bytes: number;
  readonly most: number | undefined;
  /** What the limit applies to, if that is only a part. */
  readonly of?: string;
}

const optionOf = ({ entries }: ConfigResponse, name: string) =>
  Number(entries.find((entry) => entry.name === name)?.value);

function limitOf(
  name: StoreShare["name"],
  bytes: number,
  config: ConfigResponse,
  metrics: HistorySize | undefined,
): Room {
  if (name === "logs") return { bytes, most: optionOf(config, "log.maxMegabytes") * 1_000_000 };
  // The file also contains free space and visitors; the limit applies to the metrics only.
  if (name === "metrics" && metrics)
    return { bytes: metrics.bytes, most: metrics.max_bytes, of: "metrics only" };
  return { bytes, most: undefined };
}

function Limit({ bytes, most, of }: Room) {
  if (most === undefined) return <span class="quiet">no limit</span>;
  const text = `${formatBytes(bytes)} of ${formatBytes(most)}`;
  return (
    <span class="share stack gap-2">
      <Meter ratio={bytes / most} label={text} />
      <span>
        {text} <span class="hint">{[formatPercent(bytes / most), of].filter(Boolean).join(", ")}</span>
      </span>
    </span>
  );
}

function Kept({ name, config }: { name: StoreShare["name"]; config: ConfigResponse }) {
  const link = (option: string, unitMs = 3_600_000) => (
    <a href={hrefTo("config", { option })}>{formatSpan(optionOf(config, option) * unitMs)}</a>
  );
  const stored = config.entries.find((entry) => entry.name === "log.store")?.value !== false;
  if (name === "logs" && !stored) return <>Not stored: log.store is off</>;
  if (name === "logs")
    return <>For {link("log.retentionHours")}, or until the limit is reached; the oldest are deleted first</>;
  if (name === "metrics") return <>From an hour (per second) to a year (per hour)</>;
  if (name === "visitors") return <>For a year</>;
  if (name === "own") return <>Managed by the application</>;
  const jobs = <>Job logs for {link("cron.logRetentionHours")}</>;
  if (name === "jobs") return jobs;
  const access = link("access.retentionDays", 86_400_000);
  return config.storage.engine === "sqlite" ? (
    <>
      {jobs}, access events for {access}, audit log for 400 days
    </>
  ) : (
    <>Access events for {access}, audit log for 400 days</>
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
