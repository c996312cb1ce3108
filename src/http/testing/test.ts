import { type TestContext, test as unbounded } from "node:test";

/** `test` of node:test with an end: a request that nobody answers is a failure, not a wait. */
export function test(name: string, run: (t: TestContext) => void | Promise<void>): void {
  void unbounded(name, { timeout: 60_000 }, run);
}
