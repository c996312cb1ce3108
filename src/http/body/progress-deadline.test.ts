import assert from "node:assert/strict";
import { FakeClock, settle } from "../../lib/testing/fake-clock.ts";
import { test } from "../testing/test.ts";
import { createProgressDeadline } from "./progress-deadline.ts";

const never = new Promise<never>(() => {});
const timeoutError = (ms: number) => new Error(`no progress for ${ms} ms`);

function createDeadline() {
  const clock = new FakeClock(0);
  return { clock, deadline: createProgressDeadline({ clock, timeoutMs: 1_000 }) };
}

/** The state of a promise, once everything that can happen without time passing has happened. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = "pending";
  promise.then(
    (value) => {
      state = `resolved: ${value}`;
    },
    (error) => {
      state = `rejected: ${error.message}`;
    },
  );
  await settle();
  return state;
}

test("a deadline passes on the result of work that ends in time", async () => {
  const { clock, deadline } = createDeadline();
  const ended = deadline(Promise.resolve(7), { timeoutError });
  assert.equal(await stateOf(ended), "resolved: 7");
  const failed = deadline(Promise.reject(new Error("broken")), { timeoutError });
  assert.equal(await stateOf(failed), "rejected: broken");
  clock.advance(10_000);
  assert.equal(await stateOf(ended), "resolved: 7");
});

test("a deadline rejects work without progress after the timeout", async () => {
  const { clock, deadline } = createDeadline();
  const work = deadline(never, { timeoutError });
  clock.advance(999);
  assert.equal(await stateOf(work), "pending");
  clock.advance(1);
  assert.equal(await stateOf(work), "rejected: no progress for 1000 ms");
});

test("a deadline waits for work that advances, and rejects it within two timeouts when it stalls", async () => {
  const { clock, deadline } = createDeadline();
  let done = 0;
  const work = deadline(never, { progress: () => done, timeoutError });
  for (let second = 0; second < 100; second++) {
    done++;
    clock.advance(1_000);
  }
  assert.equal(await stateOf(work), "pending");
  clock.advance(2_000);
  assert.equal(await stateOf(work), "rejected: no progress for 1000 ms");
});

test("a deadline leaves no timer behind", async () => {
  let timers = 0;
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    after() {
      timers++;
      return () => timers--;
    },
  };
  const deadline = createProgressDeadline({ clock, timeoutMs: 1_000 });
  await deadline(Promise.resolve(), { timeoutError });
  await assert.rejects(deadline(Promise.reject(new Error("broken")), { timeoutError }));
  await settle();
  assert.equal(timers, 0);
});
