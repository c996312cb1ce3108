import type { PageView } from "../messages.ts";

/**
 * Encodes page views as bytes: the time as a double, then each text with a two-byte length prefix. Encoded views are
 * outside the heap, so a flood of long texts costs only the memory of the bytes.
 */
const texts = ["path", "referrer", "host", "ip", "agent"] as const satisfies (keyof PageView)[];
const lengthBytes = 2;
const timeBytes = 8;

export interface ViewWriter {
  /** Number of encoded views. */
  readonly count: number;
  /** Adds a view. Returns false if there is not enough space. */
  add(view: PageView): boolean;
  /** Returns a copy of the written bytes and resets the writer. */
  take(): ArrayBuffer;
}

/** Texts must be shorter than 20,000 characters. */
export function createViewWriter(mostBytes: number): ViewWriter {
  let bytes = Buffer.alloc(Math.min(mostBytes, 16_384));
  let length = 0;
  let count = 0;

  function hasRoom(view: PageView): boolean {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
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

/** Decodes views from `offset` on; `end` is the offset of the next one. */
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
