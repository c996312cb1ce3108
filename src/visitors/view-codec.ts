import type { PageView } from "./messages.ts";

/**
 * Page views as bytes: the time as a double, then each text with its length in two bytes before it. What is written here
 * leaves the heap at once, so a flood of long texts costs the memory of the bytes and nothing more.
 */
const texts = ["path", "referrer", "host", "ip", "agent"] as const satisfies (keyof PageView)[];
const lengthBytes = 2;
const timeBytes = 8;

export interface ViewWriter {
  /** The number of views written. */
  readonly count: number;
  /** Adds a view; false, and nothing is added, where there is no room for it. */
  add(view: PageView): boolean;
  /** A copy of what has been written, which begins anew. */
  take(): ArrayBuffer;
}

/** Texts have to be shorter than 20,000 letters. */
export function createViewWriter(mostBytes: number): ViewWriter {
  let bytes = Buffer.alloc(Math.min(mostBytes, 16_384));
  let length = 0;
  let count = 0;

  function hasRoom(view: PageView): boolean {
    // In UTF-8 a letter has at most three bytes.
    const needed = texts.reduce((sum, text) => sum + lengthBytes + view[text].length * 3, timeBytes);
    if (length + needed > mostBytes) return false;
    if (length + needed <= bytes.length) return true;
    const grown = Buffer.alloc(Math.min(mostBytes, Math.max(bytes.length * 2, length + needed)));
    bytes.copy(grown, 0, 0, length);
    bytes = grown;
    return true;
  }

  return {
    get count() {
      return count;
    },
    add(view) {
      if (!hasRoom(view)) return false;
      length = bytes.writeDoubleLE(view.time, length);
      for (const text of texts) {
        const written = bytes.write(view[text], length + lengthBytes);
        bytes.writeUInt16LE(written, length);
        length += lengthBytes + written;
      }
      count++;
      return true;
    },
    take() {
      const taken = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length) as ArrayBuffer;
      length = 0;
      count = 0;
      return taken;
    },
  };
}

/** Reads views one after the other, from `offset` on; `end` is where the next one begins. */
export function* readViews(buffer: ArrayBuffer, offset = 0): Generator<{ view: PageView; end: number }> {
  const bytes = Buffer.from(buffer);
  let at = offset;
  const text = () => {
    const start = at + lengthBytes;
    at = start + bytes.readUInt16LE(at);
    return bytes.toString("utf8", start, at);
  };
  while (at < bytes.length) {
    const time = bytes.readDoubleLE(at);
    at += timeBytes;
    const view = { time, path: text(), referrer: text(), host: text(), ip: text(), agent: text() };
    yield { view, end: at };
  }
}
