import { after } from "node:test";

/** A test or a suite, which calls back at its end. */
export interface Cleanup {
  after(end: () => unknown): void;
}

/**
 * What the tests of a suite use together and leave as it is. It is created for the first of them and ended after the
 * last. Call it within `describe`.
 */
export function share<T>(create: (cleanup: Cleanup) => Promise<T>): () => Promise<T> {
  const ends: (() => unknown)[] = [];
  let created: Promise<T> | undefined;
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => {
    created ??= create({ after: (end) => ends.push(end) });
    return created;
  };
}
