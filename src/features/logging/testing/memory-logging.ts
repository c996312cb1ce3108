import { Writable } from "node:stream";
import { createLogging, type Logging, type LoggingOptions } from "../logging.ts";
import type { LogRecord } from "../store/search/query.ts";

/** Logs to memory and returns the parsed records. */
export function createMemoryLogging(options: Partial<LoggingOptions> = {}): {
  logging: Logging;
  records(): Promise<LogRecord[]>;
} {
  const chunks: Buffer[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const logging = createLogging({
    level: "debug",
    destination,
    format: "json",
    colors: false,
    ...options,
  });
  return {
    logging,
    async records() {
      await logging.flush();
      return Buffer.concat(chunks)
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
  };
}
