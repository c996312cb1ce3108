import { traceIdLength } from "../../lib/ids.ts";

/**
 * A Bloom filter over the trace IDs of a block: it says "not here" or "maybe here", so that a search for one trace
 * opens the few blocks that may hold it. Ten bits for each and four probes err about once in a hundred.
 */

const bitsPerTrace = 10;
const probes = 4;
const marker = '"trace_id":"';

/** The filter of the trace IDs found in JSON lines. */
export function createTraceFilter(lines: Buffer, count: number): Uint8Array {
  const filter = new Uint8Array(Math.max(8, Math.ceil((count * bitsPerTrace) / 8)));
  const size = filter.length * 8;
  // As one string: searching that costs a fraction of searching bytes, which is a call into Node for each record.
  const text = lines.toString("latin1");
  for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + traceIdLength)) {
    at += marker.length;
    const step = hash(text, at + 5) | 1;
    let bit = hash(text, at);
    for (let probe = 0; probe < probes; probe++, bit += step) {
      const place = bit % size;
      filter[place >> 3]! |= 1 << (place & 7);
    }
  }
  return filter;
}

export function mayHoldTrace(filter: Uint8Array, traceId: string): boolean {
  const size = filter.length * 8;
  const step = hash(traceId, 5) | 1;
  let bit = hash(traceId, 0);
  for (let probe = 0; probe < probes; probe++, bit += step) {
    const place = bit % size;
    if ((filter[place >> 3]! & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

/** Five letters as one number. The IDs are random, so a part of one is as good as a hash of the whole. */
function hash(text: string, at: number): number {
  let value = 0;
  for (let index = at; index < at + 5; index++) value = value * 62 + letterValue(text.charCodeAt(index));
  return value;
}

/** 0 to 61 for the letters of an ID; any number will do for another. */
function letterValue(code: number): number {
  if (code >= 97) return code - 61;
  return code >= 65 ? code - 65 : code + 4;
}
