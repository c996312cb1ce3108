import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { settle } from "../lib/testing/fake-clock.ts";
import type { App } from "./app.ts";
import { listStopSignals, restartMessage, SignalHandler, shutdownMessage } from "./signals.ts";

/** Applications that stop when the test lets them. */
function observe(t: TestContext, platform?: NodeJS.Platform) {
  const exits: unknown[] = [];
  t.mock.method(process, "exit", (code: unknown) => exits.push(code));
  const events = [...listStopSignals(platform), "message"];
  const before = events.map((event) => process.listeners(event as "SIGINT"));
  t.after(() => {
    for (const [index, event] of events.entries())
      for (const listener of process.listeners(event as "SIGINT"))
        if (!before[index]!.includes(listener)) process.off(event, listener);
  });
  const handler = new SignalHandler(platform);
  const addApp = () => {
    const stops: boolean[] = [];
    const stopping = Promise.withResolvers<void>();
    const stop = ({ isRestart = false } = {}) => {
      stops.push(isRestart);
      return stopping.promise;
    };
    const remove = handler.add({ stop } as Partial<App> as App);
    return { stops, remove, finish: stopping.resolve };
  };
  const signal = (name: NodeJS.Signals) => process.emit(name, name);
  return { exits, handler, addApp, signal };
}

describe("a signal", () => {
  it("stops the application, and a second one ends the process", async (t) => {
    const { exits, addApp, signal } = observe(t);
    const { stops, finish } = addApp();
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[false], []]);
    signal("SIGINT");
    assert.deepEqual(exits, [130]);
    finish();
    await settle();
    assert.deepEqual([stops, exits], [[false], [130, 0]]);
  });

  it("during a restart lets the shutdown finish, and a second one ends the process", async (t) => {
    const { exits, addApp, signal } = observe(t);
    const { stops, remove, finish } = addApp();
    process.emit("message", restartMessage, undefined);
    remove();
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[true], []]);
    finish();
    await settle();
    assert.deepEqual(exits, [0]);
    signal("SIGTERM");
    assert.deepEqual(exits, [0, 143]);
  });

  it("ends the process after all of its applications have stopped", async (t) => {
    const { exits, addApp, signal } = observe(t);
    const [first, second] = [addApp(), addApp()];
    signal("SIGTERM");
    assert.deepEqual([first.stops, second.stops], [[false], [false]]);
    first.remove();
    first.finish();
    await settle();
    assert.deepEqual(exits, []);
    second.finish();
    await settle();
    assert.deepEqual(exits, [0]);
  });

  it("ends the process while its only application is about to start", (t) => {
    const { exits, handler, signal } = observe(t);
    handler.add(undefined);
    signal("SIGINT");
    assert.deepEqual(exits, [130]);
  });

  it("stops an application while another one is about to start", async (t) => {
    const { exits, handler, addApp, signal } = observe(t);
    handler.add(undefined);
    const { stops, finish } = addApp();
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[false], []]);
    finish();
    await settle();
    assert.deepEqual(exits, [0]);
  });

  for (const name of ["SIGINT", "SIGBREAK", "SIGHUP"] as const)
    it(`${name} stops the application on Windows`, async (t) => {
      const { exits, addApp, signal } = observe(t, "win32");
      const { stops, finish } = addApp();
      signal(name);
      assert.deepEqual([stops, exits], [[false], []]);
      finish();
      await settle();
      assert.deepEqual(exits, [0]);
    });

  it("SIGHUP is left alone on other systems, where nohup ignores it", (t) => {
    const before = process.listenerCount("SIGHUP");
    for (const platform of ["linux", "darwin"] as const) observe(t, platform).addApp();
    assert.equal(process.listenerCount("SIGHUP"), before);
  });

  it("is ignored when no application is left", (t) => {
    const count = () => process.listenerCount("SIGTERM") + process.listenerCount("message");
    const before = count();
    const { addApp } = observe(t);
    const [first, second] = [addApp(), addApp()];
    assert.equal(count(), before + 2);
    first.remove();
    assert.equal(count(), before + 2);
    second.remove();
    assert.equal(count(), before);
  });
});

describe("the message to shut down", () => {
  it("stops the application as a signal does", async (t) => {
    const { exits, addApp } = observe(t);
    const { stops, finish } = addApp();
    process.emit("message", "something else", undefined);
    assert.deepEqual(stops, []);
    process.emit("message", shutdownMessage, undefined);
    process.emit("message", shutdownMessage, undefined);
    assert.deepEqual([stops, exits], [[false], []]);
    finish();
    await settle();
    assert.deepEqual(exits, [0]);
  });

  it("is followed by a signal that ends the process", (t) => {
    const { exits, addApp, signal } = observe(t);
    const { stops } = addApp();
    process.emit("message", shutdownMessage, undefined);
    signal("SIGTERM");
    assert.deepEqual([stops, exits], [[false], []]);
    signal("SIGTERM");
    assert.deepEqual(exits, [143]);
  });
});
