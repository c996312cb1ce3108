import { randomBytes, randomFillSync } from "node:crypto";

/** The length of a trace ID. 18 characters out of 62 contain 107 random bits. */
export const traceIdLength = 18;

// One call of the random generator serves about a thousand IDs: a call per ID would cost a hundred times as much. The
// pool is one string because slicing a string copies nothing.
const entropy = Buffer.alloc(traceIdLength * 768);
let pool = "";
let used = 0;

function refill(): void {
  // Six bits per character. Removing two of the 64 characters keeps the others equally likely.
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

const traceIdPattern = new RegExp(`^[A-Za-z0-9]{${traceIdLength}}$`);

export function isTraceId(text: string): boolean {
  return traceIdPattern.test(text);
}

const lowerLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A random ID of lower-case letters and digits, for use as a primary key. */
export function createId(length = 15): string {
  let id = "";
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 252 && id.length < length) id += lowerLetters[byte % 36];
    }
  }
  return id;
}
