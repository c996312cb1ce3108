import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countClients } from "./clients.ts";
import type { LogQuery, LogRecord } from "./store/search/query.ts";

const record = (ip: unknown): LogRecord => ({ time: "", level: "INFO", msg: "", event: "http_request", ip });

describe("the clients of logged requests", () => {
  it("are counted over all pages, the most active first", async () => {
    const pages = [
      { items: [record("10.0.0.1"), record("10.0.0.2")], cursor: "second" },
      { items: [record("10.0.0.2"), record(undefined), record(7)] },
    ];
    const queries: LogQuery[] = [];
    const search = async (query: LogQuery) => {
      queries.push(query);
      return pages[queries.length - 1]!;
    };
    assert.deepEqual(await countClients(search, { from: 1_000, to: 2_000 }), {
      from: 1_000,
      to: 2_000,
      counted: 3,
      complete: true,
      clients: [
        { ip: "10.0.0.2", count: 2 },
        { ip: "10.0.0.1", count: 1 },
      ],
    });
    assert.deepEqual(
      queries.map(({ from, to, event, cursor }) => [from, to, event, cursor]),
      [
        [1_000, 1_999, "http_request", undefined],
        [1_000, 1_999, "http_request", "second"],
      ],
    );
  });

  it("are extrapolated from a sample", async () => {
    const items = [
      ...new Array(3).fill({ ...record("10.0.0.1"), sample: 0.3 }),
      record("10.0.0.1"),
      record("10.0.0.2"),
    ];
    const { counted, clients } = await countClients(async () => ({ items }), { from: 0, to: 1 });
    assert.equal(counted, 12);
    assert.deepEqual(clients, [
      { ip: "10.0.0.1", count: 11 },
      { ip: "10.0.0.2", count: 1 },
    ]);
  });

  it("are incomplete after ten pages", async () => {
    let asked = 0;
    const search = async () => ({ items: [record(`10.0.0.${asked++}`)], cursor: "more" });
    const { counted, complete } = await countClients(search, { from: 0, to: 1 });
    assert.deepEqual([asked, counted, complete], [10, 10, false]);
  });
});
