/** An entry in the output of a run. */
export interface OutputEntry {
  /** "start", "info", "progress", "success", "complete", "warn" or "error". */
  readonly level: string;
  /** Text of the entry. */
  readonly message: string;
}

export interface NumberedEntry extends OutputEntry {
  /** Position of the entry in the run, starting at 1. */
  readonly number: number;
}

/** Maximum size of the beginning and of the end of a stored output, in characters of JSON. */
const keptAtEachEnd = 32_768;
const longestMessage = 8_192;

/**
 * Output of a run. Of a long output, only the beginning and the end are stored, with one entry between them that
 * contains the number of omitted entries.
 */
export class Output {
  /** Number of entries written, including omitted ones. */
  count = 0;
  private readonly head: Written[] = [];
  private tail: Written[] = [];
  private headLength = 0;
  private tailLength = 0;
  private dropped = 0;
  private readonly watchers = new Set<() => void>();

  append(level: string, message: string): void {
    const entry: NumberedEntry = { number: ++this.count, level, message: shorten(message) };
    const written = { entry, json: toJson(entry) };
    if (this.tail.length === 0 && this.headLength + written.json.length <= keptAtEachEnd) {
      this.head.push(written);
      this.headLength += written.json.length;
    } else {
      this.appendToTail(written);
    }
    for (const watch of this.watchers) watch();
  }

  /** JSON array of entries, as defined in the contract. */
  toString(): string {
    return `[${[...this.kept()].map(toJson).join(",")}]`;
  }

  /** Stored entries after the given number. */
  after(number: number): NumberedEntry[] {
    return number >= this.count ? [] : [...this.kept()].filter((entry) => entry.number > number);
  }

  /** Calls `watcher` after each new entry. Returns an unsubscribe function. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private *kept(): Generator<NumberedEntry> {
    for (const { entry } of this.head) yield entry;
    if (this.dropped > 0) {
      const message = describeGap(this.dropped);
      yield { number: this.head.length + this.dropped, level: "warn", message };
    }
    for (const { entry } of this.tail) yield entry;
  }

  private appendToTail(written: Written): void {
    this.tail.push(written);
    this.tailLength += written.json.length;
    if (this.tailLength <= 2 * keptAtEachEnd) return;
    // Dropping half of the tail at a time keeps the cost per entry constant.
    let first = 0;
    for (; this.tailLength > keptAtEachEnd && first < this.tail.length - 1; first++) {
      this.tailLength -= this.tail[first]!.json.length;
    }
    this.tail = this.tail.slice(first);
    this.dropped += first;
  }
}

interface Written {
  readonly entry: NumberedEntry;
  readonly json: string;
}

/** Parses a stored output and restores the original entry numbers. */
export function parseOutput(text: string): NumberedEntry[] {
  let number = 0;
  return (JSON.parse(text) as OutputEntry[]).map(({ level, message }) => {
    number += readGap(message) ?? 1;
    return { number, level, message };
  });
}

function describeGap(dropped: number): string {
  return `… ${dropped} ${dropped === 1 ? "entry was" : "entries were"} left out here …`;
}

function readGap(message: string): number | undefined {
  const match = /^… (\d+) entr(?:y was|ies were) left out here …$/.exec(message);
  return match ? Number(match[1]) : undefined;
}

function toJson({ level, message }: OutputEntry): string {
  return JSON.stringify({ level, message });
}

function shorten(message: string): string {
  if (message.length <= longestMessage) return message;
  const half = longestMessage / 2;
  const cut = message.length - longestMessage;
  return `${message.slice(0, half)} … ${cut} characters were left out here … ${message.slice(-half)}`;
}
