import { type TestContext, test as unbounded } from "node:test";

/** `test` of node:test with a timeout, so that a request without a response fails the test. */
export function test(name: string, run: (t: TestContext) => void | Promise<void>): void {
  void unbounded(name, { timeout: 60_000 }, run);
}
