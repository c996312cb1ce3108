import type { Block } from "../output/sink.ts";

export interface TestLine {
  time: number;
  /** Default INFO. */
  level?: "DEBUG" | "INFO" | "WARN" | "ERROR";
  msg: string;
  trace_id?: string;
  [field: string]: unknown;
}

const severity = { DEBUG: -4, INFO: 0, WARN: 4, ERROR: 8 };

/** A block of lines, which must be ordered by time. */
export function createLogBlock(...lines: TestLine[]): Block {
  const text = lines.map(({ time, level = "INFO", ...rest }) =>
    JSON.stringify({ time: new Date(time).toISOString(), level, event: "log", ...rest }),
  );
  return {
    bytes: Buffer.from(`${text.join("\n")}\n`),
    count: lines.length,
    firstTime: lines[0]!.time,
    lastTime: lines.at(-1)!.time,
    maxLevel: Math.max(...lines.map(({ level = "INFO" }) => severity[level])),
  };
}
