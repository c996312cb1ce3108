import assert from "node:assert/strict";
import { it } from "node:test";
import { isEventStream } from "./event-stream-type.ts";

it("recognizes the content type of server-sent events", () => {
  const types = [
    "text/event-stream",
    "Text/Event-Stream; charset=utf-8",
    "text/event-streams",
    "text/plain",
    undefined,
  ];
  assert.deepEqual(types.map(isEventStream), [true, true, false, false, false]);
});
