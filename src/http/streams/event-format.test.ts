import assert from "node:assert/strict";
import { test } from "../testing/test.ts";
import { formatEvent, type ServerSentEvent } from "./event-format.ts";

const cases: { name: string; event: ServerSentEvent; text: string }[] = [
  { name: "text", event: { data: "hello" }, text: "data: hello\n\n" },
  { name: "an object", event: { data: { a: 1 } }, text: 'data: {"a":1}\n\n' },
  { name: "null", event: { data: null }, text: "data: null\n\n" },
  { name: "an empty text", event: { data: "" }, text: "data: \n\n" },
  { name: "text with a leading space", event: { data: " x" }, text: "data:  x\n\n" },
  {
    name: "lines",
    event: { data: "a\nb\r\nc\rd\n" },
    text: "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n",
  },
  {
    name: "all fields",
    event: { comment: "c", retry: 5, id: 7, event: "order", data: "x" },
    text: ": c\nretry: 5\nid: 7\nevent: order\ndata: x\n\n",
  },
  { name: "a name without data", event: { event: "ping" }, text: "event: ping\ndata:\n\n" },
  { name: "only an ID", event: { id: "" }, text: "id: \n\n" },
  { name: "only a comment", event: { comment: "a\nb" }, text: ": a\n: b\n\n" },
];

for (const { name, event, text } of cases) {
  test(`an event with ${name} is written`, () => assert.equal(formatEvent(event), text));
}

test("data cannot add fields or events", () => {
  const text = formatEvent({ data: "x\n\nevent: admin\rid: 9\r\n\r\ndata: y" });
  assert.deepEqual(
    text.split("\n").filter((line) => line !== "" && !line.startsWith("data: ")),
    [],
  );
});

const invalid: { name: string; event: unknown }[] = [
  { name: "a line feed in the name", event: { event: "a\ndata: x", data: "" } },
  { name: "a carriage return in the name", event: { event: "a\rb", data: "" } },
  { name: "a line feed in the ID", event: { id: "1\ndata: x", data: "" } },
  { name: "a carriage return in the ID", event: { id: "1\r2", data: "" } },
  { name: "a null character in the ID", event: { id: "1\0", data: "" } },
  { name: "a fraction as retry", event: { retry: 0.5 } },
  { name: "a negative retry", event: { retry: -1 } },
  { name: "no object", event: "data: x" },
];

for (const { name, event } of invalid) {
  test(`an event with ${name} is rejected`, () =>
    assert.throws(() => formatEvent(event as ServerSentEvent), { code: "EVENT_INVALID" }));
}
