import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupViews, parseView, suggestName } from "./saved-views.ts";

const view = (name: string, address: string) => ({ id: name, name, address, created: 0, updated: 0 });

describe("a saved view", () => {
  it("has a page and parameters", () => {
    const { page, params } = parseView({ address: "/_/_/logs?q=a%3Db%3Fc&range=1h" });
    assert.equal(page, "logs");
    assert.deepEqual(Object.fromEntries(params), { q: "a=b?c", range: "1h" });
    assert.equal(parseView({ address: "/_/_" }).page, "overview");
    assert.equal(parseView({ address: "/_/_?range=1h" }).page, "overview");
  });

  it("is listed by page, then by name", () => {
    const views = ["View 10", "view 2", "Äther"].map((name) => view(name, "/_/_/logs"));
    const { here, elsewhere } = groupViews([...views, view("Busy", "/_/_?range=1h")], "logs");
    assert.deepEqual(
      here.map(({ name }) => name),
      ["Äther", "view 2", "View 10"],
    );
    assert.deepEqual(
      elsewhere.map(({ name }) => name),
      ["Busy"],
    );
  });
});

describe("the suggested name of a view", () => {
  const suggest = (query: string, taken: string[] = []) =>
    suggestName({ title: "Logs", params: new URLSearchParams(query), range: "last 1h", taken });

  it("has the page, the filters and the time range", () => {
    assert.equal(suggest(""), "Logs · last 1h");
    assert.equal(
      suggest("range=1h&sort=p95&q=level:error&tab=routes"),
      "Logs · routes · level:error · last 1h",
    );
    assert.equal(suggest("q=%20&instance=web-2"), "Logs · web-2 · last 1h");
  });

  it("is one that no other view has", () => {
    assert.equal(suggest("", ["logs · LAST 1H"]), "Logs · last 1h 2");
    assert.equal(suggest("", ["Logs · last 1h", "Logs · last 1h 2"]), "Logs · last 1h 3");
  });

  it("is at most 80 characters long, and cuts none in two", () => {
    for (const text of ["x".repeat(200), `${"x".repeat(71)}${"😀".repeat(80)}`, "😀".repeat(100)]) {
      const name = suggest(`q=${encodeURIComponent(text)}`);
      assert.ok(name.length <= 80 && name.endsWith("…"), name);
      assert.ok(name.isWellFormed(), name);
      assert.ok(suggest(`q=${encodeURIComponent(text)}`, [name]).length <= 80);
    }
  });
});
