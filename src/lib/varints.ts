/** Writes integers with variable length, seven bits per byte. */
export class VarintWriter {
  private bytes: Uint8Array;
  private length = 0;

  constructor(capacity = 1_024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Writes a whole number from 0 to 2⁵³ − 1. */
  number(value: number): void {
    this.reserve(8);
    let rest = value;
    // Bitwise operators would truncate numbers of more than 31 bits.
    while (rest > 0x7fff_ffff) {
      this.bytes[this.length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Writes any number in single precision. */
  single(value: number): void {
    this.reserve(4);
    new DataView(this.bytes.buffer).setFloat32(this.length, value, true);
    this.length += 4;
  }

  /** Writes bytes, preceded by their length. */
  piece(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Returns a copy of the written bytes and resets the writer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length) as Uint8Array<ArrayBuffer>;
    this.length = 0;
    return taken;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

export class VarintReader {
  private readonly bytes: Uint8Array;
  private view: DataView | undefined = undefined;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at++]!;
    // Most numbers are small.
    if (byte < 0x80) {
      this.at = at;
      return byte;
    }
    let value = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
    }
    // Reading beyond the end returns undefined, which looks like a last byte.
    if (at > bytes.length) throw new RangeError("Unexpected end of data in a number.");
    this.at = at;
    return value;
  }

  /** Reads several numbers into a list, faster than one by one. */
  numbers(count: number, into: Float64Array): void {
    const { bytes } = this;
    let { at } = this;
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++]!;
      let value = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = bytes[at++]!;
        value += (byte & 0x7f) * factor;
      }
      into[index] = value;
    }
    if (at > bytes.length) throw new RangeError("Unexpected end of data in a number.");
    this.at = at;
  }

  /** Skips numbers. */
  skip(count: number): void {
    for (let left = count; left > 0; left--) while (this.bytes[this.at++]! >= 0x80);
    if (this.at > this.bytes.length) throw new RangeError("Unexpected end of data in a number.");
  }

  single(): number {
    const { buffer, byteOffset, byteLength } = this.bytes;
    this.view ??= new DataView(buffer, byteOffset, byteLength);
    const value = this.view.getFloat32(this.at, true);
    this.at += 4;
    return value;
  }

  /** The bytes of a piece, without copying them. */
  piece(): Uint8Array {
    const length = this.number();
    const start = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new RangeError("Unexpected end of data in a piece.");
    return this.bytes.subarray(start, this.at);
  }

  /** Skips a piece without reading it. */
  skipPiece(): void {
    this.piece();
  }
}
