import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSummary } from "./summary.ts";

const summaryOf = (handlerName: string | undefined, facts: { description?: string; name?: string } = {}) =>
  createSummary({ method: "GET", handlerName }, "/todos/{id}", facts);

describe("the summary of an operation", () => {
  it("is the first sentence of its description", () => {
    const description = "Lists todos, e.g. open ones. Search with q.\n\nMore of it.";
    assert.equal(summaryOf("listTodos", { description }), "Lists todos, e.g. open ones.");
    assert.equal(
      summaryOf("listTodos", { description: "Version 1.2 of the list" }),
      "Version 1.2 of the list",
    );
    assert.equal(summaryOf("listTodos", { description: "One\nsentence! Another." }), "One sentence!");
  });

  it("is the name of its handler in words", () => {
    assert.equal(summaryOf("listOpenOrders"), "List open orders");
    assert.equal(summaryOf("getHTMLPageHandler"), "Get HTML page");
    assert.equal(summaryOf("list", { name: "Handler" }), "Handler");
    assert.equal(summaryOf("bound list", { name: "list_all_items" }), "List all items");
  });

  it("is its route if nothing else is known", () => {
    assert.equal(summaryOf(undefined), "GET /todos/{id}");
    assert.equal(summaryOf("handler"), "GET /todos/{id}");
  });
});
