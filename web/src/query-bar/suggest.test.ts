import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recordWords, requestWords } from "./parse.ts";
import { suggestAt } from "./suggest.ts";

const valuesOf = (field: string) =>
  ({ "": ["user", "order"], route: ["GET /todos", "POST /todos"], user: ["ada"] })[field] ?? [];

function suggest(text: string, caret = text.length, words = recordWords) {
  return suggestAt(text, caret, words, valuesOf);
}
const labels = (text: string, caret?: number) => suggest(text, caret).items.map(({ label }) => label);

describe("a suggestion", () => {
  it("names the fields at the beginning of a word", () => {
    assert.deepEqual(labels("st"), ["status:"]);
    assert.deepEqual(labels("x -me"), ["-method:"]);
    assert.deepEqual(
      suggest("", 0, requestWords).items.map(({ label }) => label.slice(0, -1)),
      requestWords.fields.filter((field) => field !== "instance"),
    );
  });

  it("names the instance if there are several", () => {
    const several = (field: string) => (field === "instance" ? ["web-1", "web-2"] : []);
    const labelsOf = (text: string) =>
      suggestAt(text, text.length, requestWords, several).items.map(({ label }) => label);
    assert.deepEqual(labelsOf("ins"), ["instance:"]);
    assert.deepEqual(labelsOf("instance:web-2"), []);
    assert.deepEqual(labelsOf("instance:w"), ["web-1", "web-2"]);
    assert.deepEqual(labels("ins"), []);
  });

  it("names fields that were seen", () => assert.deepEqual(labels("us"), ["user:"]));

  it("lists values after the colon, prefix matches first", () => {
    assert.deepEqual(labels("status:5").slice(0, 4), ["5xx", "500", "502", "503"]);
    assert.deepEqual(labels("user:"), ["ada"]);
    assert.deepEqual(labels("user:ada"), []);
  });

  it("adds quotes if needed, and keeps the minus sign", () => {
    assert.equal(suggest("route:post").items[0]!.insert, 'route:"POST /todos"');
    assert.equal(suggest("-user:a").items[0]!.insert, "-user:ada");
  });

  it("replaces the word under the caret", () => {
    const { start, end, items } = suggest("a status:4 b", 9);
    assert.deepEqual([start, end, items.length > 5], [2, 10, true]);
  });
});
