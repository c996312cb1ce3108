import { inspect } from "node:util";

/** JSON lines made readable for a person at a terminal: one line a record, requests as people speak of them. */
export function createPrettyPrinter(colors: boolean): (lines: Buffer) => Buffer {
  const paint = (code: number, text: string) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text);
  const dim = (text: string) => paint(2, text);

  function printLine(line: string): string {
    const { time, level, msg, event, ...rest } = JSON.parse(line);
    const start = `${dim(clockTime(time))} ${paint(levelColors[level] ?? 0, String(level).padEnd(5))}`;
    const { pid, start_time, ...fields } = rest;
    return event === "http_request" ? `${start} ${request(rest)}` : `${start} ${msg}${details(fields)}`;
  }

  function request({ method, path, status, duration, ip, trace_id }: Record<string, string>): string {
    const statusColor = statusColors[status?.[0] ?? ""] ?? 0;
    return `${method} ${printable(path ?? "")} ${paint(statusColor, status ?? "")} ${dim(`${duration} ${ip} ${trace_id}`)}`;
  }

  function details(fields: Record<string, unknown>): string {
    const parts = Object.entries(fields)
      .filter(([, value]) => !hasStack(value))
      .map(
        ([name, value]) =>
          `${dim(`${name}=`)}${typeof value === "string" ? printable(value) : inspect(value, { breakLength: Infinity, colors })}`,
      );
    const stacks = Object.values(fields)
      .filter(hasStack)
      .map((error) => `\n${dim(stackWithCauses(error))}`);
    return (parts.length > 0 ? `  ${parts.join(" ")}` : "") + stacks.join("");
  }

  return (lines) =>
    Buffer.from(
      lines
        .toString()
        .split("\n")
        .map((line) => (line === "" ? "" : printLine(line)))
        .join("\n"),
    );
}

const levelColors: Record<string, number> = { DEBUG: 90, INFO: 36, WARN: 33, ERROR: 31 };
const statusColors: Record<string, number> = { 2: 32, 3: 36, 4: 33, 5: 31 };

function clockTime(time: string): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** A visitor's text could hold sequences that a terminal obeys. */
function printable(text: string, keepLines = false): string {
  return text.replace(keepLines ? /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g : /[\x00-\x1f\x7f-\x9f]/g, "·");
}

function stackWithCauses({ stack, cause }: { stack: string; cause?: unknown }): string {
  return printable(stack, true) + (hasStack(cause) ? `\ncaused by ${stackWithCauses(cause)}` : "");
}

function hasStack(value: unknown): value is { stack: string } {
  return (
    typeof value === "object" && value !== null && typeof (value as { stack?: unknown }).stack === "string"
  );
}
