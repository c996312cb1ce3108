import { isAscii } from "node:buffer";

/**
 * A filter over the text of a block, so that a search for a text opens only blocks that may contain it. A text can begin
 * and end within a word. The filter therefore holds sequences of four characters (grams) and not words: a block that
 * contains the text contains all of its grams.
 *
 * Each gram sets one bit. A text consists of several grams, and is absent if the bit of one of them is not set. Upper
 * and lower case are equal. A gram contains no quotes, backslashes or characters other than ASCII, because lines escape
 * these in several ways.
 */

/** A third of the bits are set then. */
const bitsPerGram = 2.5;
const gramLength = 4;

/** A gram is reduced to a number of this many bits, which is far more than the grams of a block. */
const placeBits = 20;

/** The grams of what is searched for. */
export type Grams = readonly number[];

/** Creates the filter for JSON lines. */
export function createGramFilter(lines: Buffer): Uint8Array {
  const places = distinctPlaces(lower(lines));
  const filter = new Uint8Array(Math.max(8, Math.ceil((places.length * bitsPerGram) / 8)));
  const size = filter.length * 8;
  for (const place of places) filter[(place % size) >> 3]! |= 1 << ((place % size) & 7);
  return filter;
}

/** The grams that a line contains if it contains all of these texts. */
export function gramsOf(texts: Iterable<string>): Grams {
  const places = new Set<number>();
  for (const text of texts) for (const place of distinctPlaces(Buffer.from(text))) places.add(place);
  return [...places];
}

export function mayHoldGrams(filter: Uint8Array, grams: Grams): boolean {
  const size = filter.length * 8;
  for (const place of grams)
    if ((filter[(place % size) >> 3]! & (1 << ((place % size) & 7))) === 0) return false;
  return true;
}

/** Letters other than ASCII can have ASCII letters as their lower case, such as the Kelvin sign. */
const lower = (lines: Buffer) => (isAscii(lines) ? lines : Buffer.from(lines.toString().toLowerCase()));

/** The lower case of each byte; 0 for those that end a sequence. */
const folded = Uint8Array.from({ length: 256 }, (_, code) => {
  const isExcluded = code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c;
  return isExcluded ? 0 : String.fromCharCode(code).toLowerCase().charCodeAt(0);
});

const seen = new Uint8Array(2 ** (placeBits - 3));

function distinctPlaces(text: Uint8Array): number[] {
  const places: number[] = [];
  let gram = 0;
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = folded[text[index]!]!;
    length = code === 0 ? 0 : length + 1;
    gram = (gram << 8) | code;
    if (length < gramLength) continue;
    const place = placeOf(gram);
    const bit = 1 << (place & 7);
    if ((seen[place >> 3]! & bit) !== 0) continue;
    seen[place >> 3]! |= bit;
    places.push(place);
  }
  for (const place of places) seen[place >> 3] = 0;
  return places;
}

/** Distributes grams, whose characters are similar, over all places. */
function placeOf(gram: number): number {
  const mixed = Math.imul(gram ^ (gram >>> 15), 0x2c1b3c6d);
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> (32 - placeBits);
}
