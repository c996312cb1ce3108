import { closeSync, mkdirSync, openSync, write, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { StartError } from "../../../lib/errors/start-error.ts";
import { escapeControls } from "../../../lib/text/terminal-text.ts";
import { isError, readProperty, toText } from "../../../lib/thrown.ts";
import { createPrettyPrinter } from "./pretty.ts";
import type { Destination } from "./sink.ts";

export type LogFormat = "json" | "pretty";

export interface DestinationOptions {
  /** `"stdout"`, `"stderr"`, a file path, or a stream. */
  target: string | Writable;
  format: LogFormat;
  colors: boolean;
}

export function openDestination({ target, format, colors }: DestinationOptions): Destination {
  const plain = typeof target === "string" ? openTarget(target) : streamDestination(target);
  return format === "pretty" ? prettyDestination(plain, colors) : plain;
}

function openTarget(target: string): Destination {
  if (target === "stdout") return descriptorDestination(1);
  if (target === "stderr") return descriptorDestination(2);
  try {
    mkdirSync(dirname(target), { recursive: true });
    const descriptor = openSync(target, "a", 0o640);
    return descriptorDestination(descriptor, () => closeSync(descriptor));
  } catch (cause) {
    throw new StartError(
      "INVALID_OPTION",
      `Failed to open the log file "${target}" (${(cause as Error).message}). Change SVC_LOG_FILE or the option "log.destination".`,
      { cause },
    );
  }
}

const retryMs = 20;

/**
 * Writes blocks to a file descriptor in the thread pool, one at a time. Waits while a pipe is full. If the reader has
 * exited (`| head`) or the disk is full, the block is lost, but the application keeps running.
 */
function descriptorDestination(descriptor: number, closeDescriptor = () => {}): Destination {
  const queue: { bytes: Buffer; release: () => void }[] = [];
  let idleWaiters: (() => void)[] = [];

  function pump(): void {
    const [first] = queue;
    if (first === undefined) {
      const waiters = idleWaiters;
      idleWaiters = [];
      for (const resolve of waiters) resolve();
      return;
    }
    write(descriptor, first.bytes, (error, written) => {
      if (error?.code === "EAGAIN") {
        setTimeout(pump, retryMs);
        return;
      }
      first.bytes = first.bytes.subarray(written);
      if (error || first.bytes.length === 0) {
        queue.shift();
        first.release();
      }
      pump();
    });
  }

  return {
    write(bytes, release) {
      queue.push({ bytes, release });
      if (queue.length === 1) pump();
    },
    writeSync(bytes) {
      for (const rest of [...queue.splice(0).map((entry) => entry.bytes), bytes])
        tryWriteSync(descriptor, rest);
    },
    flush: () =>
      queue.length === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve)),
    close: async () => closeDescriptor(),
  };
}

function tryWriteSync(descriptor: number, bytes: Buffer): void {
  try {
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The process is ending, so there is nowhere to report the error.
  }
}

const watched = new WeakSet<Writable>();

/** Records are lost if the stream fails. The process must not exit because of that, so the failure is reported once. */
function streamDestination(stream: Writable): Destination {
  let hasFailed = false;
  // A stream that throws during a write never calls back.
  let isBroken = false;
  const fail = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    const message = escapeControls(toText(isError(error) ? readProperty(error, "message") : error));
    process.stderr.write(`annex: Failed to write to the log stream: ${message}\n`);
  };
  const send = (bytes: Buffer | string, done?: () => void) => {
    try {
      if (isBroken) done?.();
      else stream.write(bytes, done);
    } catch (error) {
      isBroken = true;
      fail(error);
      done?.();
    }
  };
  // The listener stays attached, because a stream can fail after the last record.
  if (!watched.has(stream)) stream.on("error", fail);
  watched.add(stream);
  return {
    write(bytes, release) {
      // Copied, because the stream may hold the buffer while the sink reuses it.
      send(Buffer.from(bytes));
      release();
    },
    writeSync: (bytes) => send(Buffer.from(bytes)),
    flush: () => new Promise((resolve) => send("", () => resolve())),
    close: async () => {},
  };
}

function prettyDestination(target: Destination, colors: boolean): Destination {
  const print = createPrettyPrinter(colors);
  return {
    ...target,
    write(bytes, release) {
      target.write(print(bytes), () => {});
      release();
    },
    writeSync: (bytes) => target.writeSync(print(bytes)),
  };
}
