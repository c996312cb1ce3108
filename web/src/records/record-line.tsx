import "./records.css";
import type { LogRecord } from "../../../src/features/logging/wire.ts";
import { parseDuration } from "../data/request-rows.ts";
import { showControls } from "../format/control-characters.ts";
import { formatMs } from "../format/numbers.ts";
import { hasSeveral } from "../state/fleet/instances.ts";
import { toneOfCode } from "../ui/status.tsx";

const words: Readonly<Record<string, string>> = {
  DEBUG: "Debug",
  INFO: "Info",
  WARN: "Warn",
  ERROR: "Error",
};

export function LevelWord({ level }: { level: string }) {
  return <span class={`level ${level.toLowerCase()}`}>{words[level] ?? level}</span>;
}

/** Fields that every record has, or that are shown elsewhere. */
const usual = new Set([
  "time",
  "level",
  "msg",
  "event",
  "group",
  "trace_id",
  "pid",
  "start_time",
  "request_rate",
  "instance",
]);

/** A record for display. With only one instance, its name would be noise. */
export function shownFields(record: LogRecord): object {
  const { instance, ...others } = record;
  return hasSeveral.value ? record : others;
}

/** Summary of a record in one line: its message and its distinctive fields. */
export function RecordSummary({ record }: { record: LogRecord }) {
  const { event, method, path, status, duration } = record;
  if (event === "http_request" && typeof path === "string" && typeof status === "string") {
    return (
      <span class="record-text ellipsis">
        <span class="mono">{showControls(`${method} ${path}`)}</span>{" "}
        <span class={toneOfCode(Number.parseInt(status, 10))}>{status}</span>{" "}
        <span class="quiet">{formatDuration(duration)}</span>
      </span>
    );
  }
  return (
    <span class="record-text ellipsis">
      {showControls(record.msg)} <span class="quiet mono small">{describeFields(record)}</span>
    </span>
  );
}

/** Limit for one line. */
const mostLetters = 300;

function describeFields(record: LogRecord): string {
  const { error } = record as { error?: { message?: unknown } };
  const messages = typeof error?.message === "string" ? [error.message] : [];
  const others = Object.entries(record).filter(([name]) => !usual.has(name) && name !== "error");
  const text = [...messages, ...others.map(([name, value]) => `${name}=${formatField(value)}`)].join("  ");
  return showControls(text.slice(0, mostLetters));
}

function formatField(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 80) : (JSON.stringify(value)?.slice(0, 80) ?? "");
}

/** As on other pages: "44.9 ms" instead of "44.87ms". */
function formatDuration(duration: unknown): string {
  const milliseconds = typeof duration === "string" ? parseDuration(duration) : Number.NaN;
  return Number.isNaN(milliseconds) ? String(duration ?? "") : formatMs(milliseconds);
}
