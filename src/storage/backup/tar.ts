/**
 * The tar format (ustar), for regular files without folders. Sizes from 8 GB are written as GNU tar writes them, in
 * base 256.
 */

export const blockSize = 512;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

const field = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

const largestOctal = 8 ** 11 - 1;

export function encodeHeader({ name, bytes }: TarEntry, modifiedMs: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const put = (text: string, [at]: readonly [number, number]) => block.write(text, at, "latin1");
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, "0");
  put(name, field.name);
  put(octal(0o600, 8), field.mode);
  put(octal(0, 8), field.owner);
  put(octal(0, 8), field.group);
  if (bytes <= largestOctal) put(octal(bytes, 12), field.size);
  else writeLargeSize(block, bytes);
  put(octal(Math.floor(modifiedMs / 1_000), 12), field.time);
  put("0", field.type);
  put("ustar\x0000", field.magic);
  put(`${octal(sumOf(block), 7)}\0 `, field.checksum);
  return block;
}

/** `undefined` for the block of zeros that ends an archive. Throws if the block is not a header. */
export function decodeHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const text = ([at, length]: readonly [number, number]) =>
    block.toString("latin1", at, at + length).replace(/[\0 ][\s\S]*$/, "");
  if (Number.parseInt(text(field.checksum), 8) !== sumOf(block)) throw new Error("Invalid tar header.");
  const [at] = field.size;
  const bytes = block[at]! & 0x80 ? readLargeSize(block) : Number.parseInt(text(field.size), 8);
  return { name: text(field.name), bytes };
}

/** The bytes between the end of an entry and the next header. */
export function paddingOf(bytes: number): number {
  return (blockSize - (bytes % blockSize)) % blockSize;
}

function writeLargeSize(block: Buffer, bytes: number): void {
  const [at] = field.size;
  block[at] = 0x80;
  block.writeBigUInt64BE(BigInt(bytes), at + 4);
}

function readLargeSize(block: Buffer): number {
  return Number(block.readBigUInt64BE(field.size[0] + 4));
}

/** The sum of all bytes, with spaces in place of the checksum itself. */
function sumOf(block: Buffer): number {
  const [at, length] = field.checksum;
  const all = block.reduce((sum, byte) => sum + byte, 0);
  const own = block.subarray(at, at + length).reduce((sum, byte) => sum + byte, 0);
  return all - own + length * 0x20;
}
