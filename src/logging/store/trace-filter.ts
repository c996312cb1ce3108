import { traceIdOffset } from "../request-record.ts";

/**
 * A Bloom filter over the trace IDs of a block: it says "not here" or "maybe here", so that a search for one trace
 * opens the few blocks that may hold it. Ten bits for each and four probes err about once in a hundred.
 */

const bitsPerTrace = 10;
const probes = 4;
const marker = '"trace_id":"';

/** The filter of the trace IDs found in JSON lines. */
export function createTraceFilter(text: string, count: number): Uint8Array {
  const filter = new Uint8Array(Math.max(8, Math.ceil((count * bitsPerTrace) / 8)));
  const size = filter.length * 8;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    const at = findTrace(text, start, end);
    if (at === -1) continue;
    const step = hash(text, at + lettersHashed) | 1;
    let bit = hash(text, at);
    for (let probe = 0; probe < probes; probe++, bit += step) {
      const place = bit % size;
      filter[place >> 3]! |= 1 << (place & 7);
    }
  }
  return filter;
}

/** Searching for a word costs more than all the rest here; request records, nearly all there is, are spared it. */
function findTrace(text: string, start: number, end: number): number {
  const usual = start + traceIdOffset;
  if (hasMarkerBefore(text, usual)) return usual;
  const found = text.indexOf(marker, start);
  return found === -1 || found > end ? -1 : found + marker.length;
}

/** The last four letters of the marker, one by one. */
function hasMarkerBefore(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 1) === 34 &&
    text.charCodeAt(at - 2) === 58 &&
    text.charCodeAt(at - 3) === 34 &&
    text.charCodeAt(at - 4) === 100
  );
}

export function mayHoldTrace(filter: Uint8Array, traceId: string): boolean {
  const size = filter.length * 8;
  const step = hash(traceId, lettersHashed) | 1;
  let bit = hash(traceId, 0);
  for (let probe = 0; probe < probes; probe++, bit += step) {
    const place = bit % size;
    if ((filter[place >> 3]! & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

/** Few enough for their number to stay a small integer, which divides fast. */
const lettersHashed = 4;

/** Some letters as one number. The IDs are random, so a part of one is as good as a hash of the whole. */
function hash(text: string, at: number): number {
  let value = 0;
  for (let index = at; index < at + lettersHashed; index++)
    value = value * 62 + letterValue(text.charCodeAt(index));
  return value;
}

/** 0 to 61 for the letters of an ID; any number will do for another. */
function letterValue(code: number): number {
  if (code >= 97) return code - 61;
  return code >= 65 ? code - 65 : code + 4;
}
