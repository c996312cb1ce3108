import assert from "node:assert/strict";
import { it } from "node:test";
import { createListener } from "../../../http/testing/listener.ts";
import { createLatch, createTestManager } from "../testing/test-manager.ts";
import { streamRun } from "./live-stream.ts";

it("ends a stream after a quarter of an hour, and the next one continues it", {
  timeout: 180_000,
}, async (t) => {
  const { manager, clock, register } = await createTestManager(t);
  const latch = createLatch();
  register("slow", "0 0 1 1 *", (log) => {
    log.info("one");
    return latch.run();
  });
  await manager.open();
  const { id } = await manager.run("slow");
  const { listen } = await createListener(t, (router) => {
    router.get("/{run_id}", (e) => streamRun(e, manager, clock));
  });
  const url = `http://127.0.0.1:${await listen()}/${id}`;

  const first = await fetch(url);
  const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.match((await reader.read()).value!, /"one"/);
  clock.advance(15 * 60_000);
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
  assert.doesNotMatch(rest, /event: end/);

  latch.release();
  const second = await fetch(url, { headers: { "last-event-id": "1" } });
  const text = await second.text();
  assert.doesNotMatch(text, /"one"}/);
  assert.match(text, /event: end/);
});
