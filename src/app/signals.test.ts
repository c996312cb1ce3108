import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { settle } from "../lib/testing/fake-clock.ts";
import type { App } from "./app.ts";
import { restartMessage, stopOnSignals } from "./signals.ts";

/** An application that stops when the test lets it. */
function observe(t: TestContext) {
  const exits: unknown[] = [];
  const stops: boolean[] = [];
  const stopping = Promise.withResolvers<void>();
  t.mock.method(process, "exit", (code: unknown) => exits.push(code));
  const events = ["SIGINT", "SIGTERM", "message"] as const;
  const before = events.map((event) => process.listeners(event as "SIGINT"));
  t.after(() => {
    for (const [index, event] of events.entries())
      for (const listener of process.listeners(event as "SIGINT"))
        if (!before[index]!.includes(listener)) process.off(event, listener);
  });
  const stop = ({ isRestart = false } = {}) => {
    stops.push(isRestart);
    return stopping.promise;
  };
  stopOnSignals({ stop } as Partial<App> as App);
  const signal = (name: "SIGINT" | "SIGTERM") => process.emit(name, name);
  return { exits, stops, signal, finish: stopping.resolve };
}

describe("a signal", () => {
  it("stops the application, and a second one ends the process", async (t) => {
    const { exits, stops, signal, finish } = observe(t);
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[false], []]);
    signal("SIGINT");
    assert.deepEqual(exits, [130]);
    finish();
    await settle();
    assert.deepEqual([stops, exits], [[false], [130, 0]]);
  });

  it("during a restart lets the shutdown finish, and a second one ends the process", async (t) => {
    const { exits, stops, signal, finish } = observe(t);
    process.emit("message", restartMessage, undefined);
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[true], []]);
    finish();
    await settle();
    assert.deepEqual(exits, [0]);
    signal("SIGTERM");
    assert.deepEqual(exits, [0, 143]);
  });
});
