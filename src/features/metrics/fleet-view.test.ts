import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import type { Caller } from "../../lib/worker/contract.ts";
import type { FoundRequests } from "./fleet/fleet-requests.ts";
import { parseMarks } from "./fleet/recent-marks.ts";
import { FleetView } from "./fleet-view.ts";
import type { HistoryCalls } from "./history/calls.ts";
import { RecentRequests } from "./requests/recent-requests.ts";
import { finishedRequest } from "./testing/traffic.ts";

describe("the recent requests that an instance lists", () => {
  it("are complete, even if some end while the database is asked for those of others", async () => {
    const recent = new RecentRequests();
    let found = Promise.withResolvers<FoundRequests>();
    const history = { call: () => found.promise, post: () => {} } as unknown as Caller<HistoryCalls>;
    const view = new FleetView({
      instance: "one",
      isShared: true,
      clock: new FakeClock(Date.now()),
      history,
      recent,
      epoch: "a",
      status: () => assert.fail("not needed"),
    });
    const list = (cursor?: string) =>
      view.list({ after: 0, marks: cursor ? parseMarks(cursor)! : new Map(), filter: {}, limit: 100 });
    const respond = () => {
      found.resolve({ requests: [], marks: new Map() });
      found = Promise.withResolvers();
    };

    recent.add(finishedRequest({ path: "/before" }));
    const first = list();
    recent.add(finishedRequest({ path: "/meanwhile" }));
    respond();
    const { requests, newest, cursor } = await first;
    const second = list(cursor);
    respond();
    const paths = [...requests, ...(await second).requests].map(({ path }) => path);
    assert.deepEqual(paths, ["/before", "/meanwhile"]);
    assert.equal(newest, 1);
  });

  it("are the newest of all instances, as many as were asked for", async () => {
    const recent = new RecentRequests();
    for (const path of ["/a", "/b"]) recent.add(finishedRequest({ path }));
    const others = recent.list({ limit: 2, after: 0, matches: () => true });
    const requests = others.map((request) => ({ ...request, time: request.time - 1_000, instance: "two" }));
    const history = { call: async () => ({ requests, marks: new Map() }), post: () => {} };
    const view = new FleetView({
      instance: "one",
      isShared: true,
      clock: new FakeClock(Date.now()),
      history: history as unknown as Caller<HistoryCalls>,
      recent,
      epoch: "a",
      status: () => assert.fail("not needed"),
    });
    const { requests: found } = await view.list({ after: 0, marks: new Map(), filter: {}, limit: 3 });
    assert.deepEqual(
      found.map(({ instance }) => instance),
      ["one", "one", "two"],
    );
  });
});
