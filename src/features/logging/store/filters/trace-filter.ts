import { traceIdOffset } from "../../request-record.ts";

/**
 * A Bloom filter over the trace IDs of a block, so that a search for a trace opens only blocks that may contain it.
 * With ten bits per ID and four probes, the false positive rate is about 1%.
 */

const bitsPerTrace = 10;
const probes = 4;
const marker = '"trace_id":"';

/** Creates the filter for the trace IDs in JSON lines. */
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

/**
 * Searching for a marker is the most expensive step. Request records, which are the majority, have the ID at a fixed
 * offset.
 */
function findTrace(text: string, start: number, end: number): number {
  const usual = start + traceIdOffset;
  if (hasMarkerBefore(text, usual)) return usual;
  const found = text.indexOf(marker, start);
  return found === -1 || found > end ? -1 : found + marker.length;
}

/** Compares the last four characters of the marker. */
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

/** Few enough for the number to remain a small integer, which makes division fast. */
const lettersHashed = 4;

/** Converts characters to a number. IDs are random, so a part of one works as well as a hash of all of it. */
function hash(text: string, at: number): number {
  let value = 0;
  for (let index = at; index < at + lettersHashed; index++)
    value = value * 62 + letterValue(text.charCodeAt(index));
  return value;
}

/** 0 to 61 for the characters of an ID; arbitrary for others. */
function letterValue(code: number): number {
  if (code >= 97) return code - 61;
  return code >= 65 ? code - 65 : code + 4;
}
