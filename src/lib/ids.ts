import { randomBytes, randomFillSync } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const codes = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0));

/** The length the contract gives a trace ID: 18 letters of 62 hold 107 random bits. */
export const traceIdLength = 18;

// One call to the generator serves about a thousand IDs: asking the operating system for each would cost a hundred
// times the slice. The pool is one string because cutting a piece off a string copies nothing.
const entropy = new Uint8Array(traceIdLength * 1024);
const letters = Buffer.alloc(entropy.length);
let pool = "";
let used = 0;

function refill(): void {
  randomFillSync(entropy);
  let filled = 0;
  // By index: an iterator would cost several times as much here.
  for (let at = 0; at < entropy.length; at++) {
    const index = entropy[at]! & 63;
    // Taking the remainder instead would make the first two letters likelier than the others.
    if (index < 62) letters[filled++] = codes[index]!;
  }
  pool = letters.toString("latin1", 0, filled - (filled % traceIdLength));
  used = 0;
}

/**
 * A new trace ID. It is a slice of a longer string and keeps that alive: copy it before storing it for longer than a
 * request.
 */
export function createTraceId(): string {
  if (used >= pool.length) refill();
  const start = used;
  used = start + traceIdLength;
  return pool.slice(start, used);
}

/** A random identifier of lower-case letters and digits, fit for a primary key. */
export function createId(length = 15): string {
  let id = "";
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 252 && id.length < length) id += alphabet[26 + (byte % 36)];
    }
  }
  return id;
}
