import { randomBytes, randomFillSync } from "node:crypto";

/** The length the contract gives a trace ID: 18 letters of 62 hold 107 random bits. */
export const traceIdLength = 18;

// One call to the generator serves about a thousand IDs: asking the operating system for each would cost a hundred
// times the slice. The pool is one string because cutting a piece off a string copies nothing.
const entropy = Buffer.alloc(traceIdLength * 768);
let pool = "";
let used = 0;

function refill(): void {
  // Six bits a letter; the two letters too many are taken out, which leaves the others as likely as they were.
  pool = randomFillSync(entropy).toString("base64url").replaceAll("-", "").replaceAll("_", "");
  used = 0;
}

/**
 * A new trace ID. It is a slice of a longer string and keeps that alive: copy it before storing it for longer than a
 * request.
 */
export function createTraceId(): string {
  if (used + traceIdLength > pool.length) refill();
  const start = used;
  used = start + traceIdLength;
  return pool.slice(start, used);
}

const lowerLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A random identifier of lower-case letters and digits, fit for a primary key. */
export function createId(length = 15): string {
  let id = "";
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 252 && id.length < length) id += lowerLetters[byte % 36];
    }
  }
  return id;
}
