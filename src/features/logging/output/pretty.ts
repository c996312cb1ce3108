import { inspect } from "node:util";
import { escapeControls } from "../../../lib/text/terminal-text.ts";

/** Formats JSON lines for a terminal, one line per record, with a compact format for requests. */
export function createPrettyPrinter(colors: boolean): (lines: Buffer) => Buffer {
  const paint = (code: number, text: string) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text);
  const dim = (text: string) => paint(2, text);

  function printLine(line: string): string {
    const { time, level, msg, event, ...rest } = JSON.parse(line);
    const start = `${dim(clockTime(time))} ${paint(levelColors[level] ?? 0, escapeControls(String(level)).padEnd(5))}`;
    // They are the same in all records of a process, and a terminal shows one process.
    const { pid, start_time, ...fields } = rest;
    if (isRequest(event, rest)) return `${start} ${request(rest)}`;
    return `${start} ${escapeControls(String(msg))}${details(fields)}`;
  }

  function request({ method, path, status, duration, ip, trace_id }: Record<string, string>): string {
    const statusColor = statusColors[status?.[0] ?? ""] ?? 0;
    const rest = escapeControls(`${duration} ${ip} ${trace_id}`);
    const target = escapeControls(`${method} ${path}`);
    return `${target} ${paint(statusColor, escapeControls(status ?? ""))} ${dim(rest)}`;
  }

  function details(fields: Record<string, unknown>): string {
    const parts = Object.entries(fields)
      .filter(([, value]) => !hasStack(value))
      .map(([name, value]) => `${dim(`${escapeControls(name)}=`)}${show(value)}`);
    const stacks = Object.values(fields)
      .filter(hasStack)
      .map((error) => `\n${dim(stackWithCauses(error))}`);
    return (parts.length > 0 ? `  ${parts.join(" ")}` : "") + stacks.join("");
  }

  function show(value: unknown): string {
    if (typeof value === "string") return escapeControls(value);
    // `inspect` escapes terminal control characters, but not characters that change the text direction.
    const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, colors, depth: 10 });
    return text.replace(direction, escapeControls);
  }

  function print(line: string): string {
    if (line === "") return "";
    try {
      return printLine(line);
    } catch {
      return escapeControls(line);
    }
  }

  return (lines) => Buffer.from(lines.toString().split("\n").map(print).join("\n"));
}

/** Applications can write records with the same event name. */
function isRequest(event: unknown, { method, status }: Record<string, unknown>): boolean {
  return event === "http_request" && typeof method === "string" && typeof status === "string";
}

const direction = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

const levelColors: Record<string, number> = { DEBUG: 90, INFO: 36, WARN: 33, ERROR: 31 };
const statusColors: Record<string, number> = { 2: 32, 3: 36, 4: 33, 5: 31 };

function clockTime(time: string): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

interface PlainError {
  readonly stack: string;
  readonly name?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function stackWithCauses(error: PlainError): string {
  const { stack, name, message, cause } = error;
  const errors = Array.isArray(error.errors) ? error.errors : [];
  const related = [
    ...(cause === undefined ? [] : [`Caused by: ${describePart(cause)}`]),
    ...errors.map((each, index) => `Error ${index + 1} of ${errors.length}: ${describePart(each)}`),
  ];
  return [stackText(stack || `${name}: ${message}`), ...related].join("\n");
}

/** Lines of a multi-line message are marked, so that none of them looks like a record. */
function stackText(stack: string): string {
  const [first = "", ...rest] = stack.split("\n").map(escapeControls);
  return [first, ...rest.map((line) => (/^ {4}(?:at |…)/.test(line) ? line : `  | ${line}`))].join("\n");
}

function describePart(part: unknown): string {
  if (hasStack(part)) return stackWithCauses(part);
  return escapeControls(
    typeof part === "string" ? part : inspect(part, { breakLength: Number.POSITIVE_INFINITY }),
  );
}

function hasStack(value: unknown): value is PlainError {
  return (
    typeof value === "object" && value !== null && typeof (value as { stack?: unknown }).stack === "string"
  );
}
