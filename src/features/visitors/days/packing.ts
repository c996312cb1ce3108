import { type Column, type Columns, type DayCounts, viewColumns, visitColumns } from "./day-counts.ts";

/**
 * A day as a single value: the lengths of two texts, the texts, and the columns. The first text contains the sizes of
 * the columns, the second the list of names, which not every query needs. Everything is aligned to four bytes, so that
 * columns can be used in place.
 */
interface Head {
  readonly version: 1;
  readonly visits: Sizes;
  readonly views: Sizes;
}

/** Number of rows of a table, and the bytes per number in each of its columns. */
interface Sizes {
  readonly rows: number;
  readonly widths: readonly number[];
}

export function packDay({ names, visits, views }: DayCounts): Uint8Array {
  const visitParts = visitColumns.map((name) => visits[name]);
  const viewParts = viewColumns.map((name) => views[name]);
  const head: Head = { version: 1, visits: sizesOf(visitParts), views: sizesOf(viewParts) };
  const texts = [head, names].map((value) => padded(Buffer.from(JSON.stringify(value)), " "));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(texts[0]!.length, 0);
  lengths.writeUInt32LE(texts[1]!.length, 4);
  const bytes = [...visitParts, ...viewParts].map(({ buffer, byteOffset, byteLength }) =>
    padded(Buffer.from(buffer, byteOffset, byteLength), "\0"),
  );
  return Buffer.concat([lengths, ...texts, ...bytes]);
}

function sizesOf(columns: readonly Column[]): Sizes {
  return { rows: columns[0]!.length, widths: columns.map(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT) };
}

function padded(bytes: Buffer, filling: string): Buffer {
  return Buffer.concat([bytes, Buffer.from(filling.repeat(paddedLength(bytes.length) - bytes.length))]);
}

function paddedLength(length: number): number {
  return Math.ceil(length / 4) * 4;
}

export function unpackDay(packed: Uint8Array): DayCounts {
  // A copy is only needed if the database driver returns an unaligned slice of a larger buffer.
  const { buffer, byteOffset, byteLength } = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const namesAt = 8 + bytes.readUInt32LE(0);
  const columnsAt = namesAt + bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString("utf8", 8, namesAt)) as Head;
  if (head.version !== 1) throw new Error("Visitor data of this day was written by a newer release.");
  let at = byteOffset + columnsAt;

  function take<Name extends string>(names: readonly Name[], { rows, widths }: Sizes): Columns<Name> {
    const columns = names.map((name, index) => {
      const width = widths[index]!;
      const column = columnAt(buffer as ArrayBuffer, at, rows, width);
      at += paddedLength(rows * width);
      return [name, column];
    });
    return Object.fromEntries(columns);
  }
  let names: string[] | undefined;
  return {
    visits: take(visitColumns, head.visits),
    views: take(viewColumns, head.views),
    get names() {
      names ??= JSON.parse(bytes.toString("utf8", namesAt, columnsAt)) as string[];
      return names;
    },
  };
}

function columnAt(buffer: ArrayBuffer, at: number, rows: number, width: number): Column {
  if (width === 1) return new Uint8Array(buffer, at, rows);
  return width === 2 ? new Uint16Array(buffer, at, rows) : new Uint32Array(buffer, at, rows);
}
