export interface OutputEntry {
  readonly level: string;
  readonly message: string;
}

export interface NumberedEntry extends OutputEntry {
  /** Counts the entries of a run from 1. */
  readonly number: number;
}

/** How much of the beginning and of the end of a run's output is kept, in characters of its JSON. */
const keptAtEachEnd = 32_768;
const longestMessage = 8_192;

/**
 * What one run writes. Of a long output the beginning and the end are kept, which say how it started and how it
 * ended; one entry in between says how much is gone.
 */
export class Output {
  /** How many entries there have been. */
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

  /** A JSON array of entries, as the contract has it. */
  toString(): string {
    return `[${[...this.kept()].map(toJson).join(",")}]`;
  }

  /** What is kept of the entries after that number. */
  after(number: number): NumberedEntry[] {
    return number >= this.count ? [] : [...this.kept()].filter((entry) => entry.number > number);
  }

  /** Calls back with each new entry there is; returns what ends that. */
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
    // Cutting off a half at a time keeps the cost of an entry the same, however long the job talks.
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

/** The entries of a stored output, with the numbers they had when they were written. */
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
