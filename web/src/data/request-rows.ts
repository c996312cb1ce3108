import type { LogRecord } from "../../../src/features/logging/wire.ts";
import type { RecentRequest } from "../../../src/features/metrics/wire.ts";

/** A request, from memory or from a stored record. Fields that only one of the sources has may be absent. */
export interface RequestRow {
  readonly trace: string;
  /** When it ended. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly route?: string;
  readonly status: number;
  readonly durationMs: number;
  readonly bytesIn?: number;
  readonly bytesOut?: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly instance?: string;
}

export function fromRecent(recent: RecentRequest): RequestRow {
  const { trace_id, time, method, path, route, status, duration_ms, bytes_in, bytes_out, ip, user_agent } =
    recent;
  const { instance } = recent;
  return {
    trace: trace_id,
    time,
    method,
    path,
    ...(route !== undefined && { route }),
    status,
    durationMs: duration_ms,
    bytesIn: bytes_in,
    bytesOut: bytes_out,
    ip,
    userAgent: user_agent,
    instance,
  };
}

/** Undefined if the record has the event name of a request but not its fields. */
export function fromRecord(record: LogRecord): RequestRow | undefined {
  const { time, event, trace_id, method, path, status, duration, ip, user_agent, content_length } = record;
  const texts = [trace_id, method, path, status, duration];
  if (event !== "http_request" || !texts.every((text) => typeof text === "string")) return undefined;
  return {
    trace: trace_id as string,
    time: Date.parse(time),
    method: method as string,
    path: path as string,
    status: Number.parseInt(status as string, 10),
    durationMs: parseDuration(duration as string),
    ...(typeof content_length === "number" && { bytesIn: content_length }),
    ip: String(ip ?? ""),
    userAgent: String(user_agent ?? ""),
    ...(typeof record.instance === "string" && { instance: record.instance }),
  };
}

/** Converts `850µs`, `12.34ms` and `1.20s` to milliseconds. */
export function parseDuration(text: string): number {
  const amount = Number.parseFloat(text);
  if (text.endsWith("µs")) return amount / 1_000;
  return text.endsWith("ms") ? amount : amount * 1_000;
}

/** Masks the part of an address that identifies a person: 203.0.113.x, or the first three groups of IPv6. */
export function maskIp(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip);
  if (v4) return `${v4[1]}.x`;
  if (!ip.includes(":") || ip === "::1") return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const behind = tail?.split(":").filter(Boolean) ?? [];
  while (groups.length + behind.length < 8) groups.push("0");
  return `${[...groups, ...behind].slice(0, 3).join(":")}::x`;
}
