import type { FeatureLogger, LogOutput } from "../feature/index.ts";
import { createToPlain } from "../lib/redaction/plain-data.ts";
import { defaultRedactor } from "../lib/redaction/redactor.ts";

/** A logger whose output is set later. Without one, warnings and errors go to standard error. */
export interface LateLogger extends FeatureLogger {
  use(output: LogOutput): void;
  close(): Promise<void>;
}

const toPlain = createToPlain(defaultRedactor);

const fallback: LogOutput = {
  write(level, message, data) {
    if (level === "debug" || level === "info") return;
    const fields = data === undefined ? [] : [toPlain(data).value];
    console.error(`${level.toUpperCase()} ${defaultRedactor.text(message)}`, ...fields);
  },
  async close() {},
};

export function createLateLogger(): LateLogger {
  let output = fallback;
  const write: FeatureLogger["write"] = (...record) => output.write(...record);
  return {
    write,
    debug: (message, data) => write("debug", message, data),
    info: (message, data) => write("info", message, data),
    warn: (message, data) => write("warn", message, data),
    error: (message, data) => write("error", message, data),
    use(next) {
      output = next;
    },
    close: () => output.close(),
  };
}
