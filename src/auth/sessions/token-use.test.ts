import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RequestEvent } from "../../http/index.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { createTokenUses, type TokenUse } from "./token-use.ts";

function createUses() {
  const clock = new FakeClock(0);
  const writes: [string, TokenUse][][] = [];
  const store = { isDown: false };
  const uses = createTokenUses({
    clock,
    async write(collected) {
      if (store.isDown) throw new Error("down");
      writes.push([...collected]);
    },
  });
  const use = (hash: string, headers: Record<string, string> = {}) =>
    uses.record(hash, { ip: "192.0.2.1", header: (name: string) => headers[name] } as RequestEvent);
  return { clock, writes, store, uses, use };
}

const from = { address: "192.0.2.1", agent: undefined };

describe("the uses of tokens", () => {
  it("are stored at most once a minute, with the latest", async () => {
    const { clock, writes, use } = createUses();
    use("a");
    await clock.elapse(30_000);
    use("a");
    use("b");
    await clock.elapse(29_000);
    assert.deepEqual(writes, []);
    await clock.elapse(1_000);
    assert.deepEqual(writes, [
      [
        ["a", { time: 30_000, ...from }],
        ["b", { time: 30_000, ...from }],
      ],
    ]);
    await clock.elapse(600_000);
    assert.equal(writes.length, 1);
  });

  it("are not those of a dashboard without its user", async () => {
    const { uses, writes, use } = createUses();
    use("a", { "x-annex-automatic": "1" });
    use("a", { accept: "text/event-stream" });
    await uses.flush();
    assert.deepEqual(writes, []);
  });

  it("are stored later when the database fails, and later ones take precedence", async () => {
    const { clock, writes, store, use } = createUses();
    store.isDown = true;
    use("a");
    use("b");
    await clock.elapse(60_000);
    store.isDown = false;
    use("a");
    await clock.elapse(60_000);
    assert.deepEqual(writes, [
      [
        ["a", { time: 60_000, ...from }],
        ["b", { time: 0, ...from }],
      ],
    ]);
  });

  it("are stored at the end", async () => {
    const { clock, uses, writes, use } = createUses();
    use("a");
    await uses.flush();
    assert.equal(writes.length, 1);
    await clock.elapse(60_000);
    assert.equal(writes.length, 1);
  });

  it("do not fill the memory", async () => {
    const { uses, writes, use } = createUses();
    for (let count = 0; count < 20_000; count++) use(`token ${count}`);
    await uses.flush();
    assert.equal(writes[0]!.length, 10_000);
  });
});
