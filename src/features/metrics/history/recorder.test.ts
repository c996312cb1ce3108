import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { finishedRequest, routeNamed, secondOf } from "../testing/traffic.ts";
import { Recorder } from "./recorder.ts";

const busy = (time: number) =>
  secondOf(
    time,
    Array.from({ length: 100 }, (_, index) => finishedRequest({ route: routeNamed(index + 1) })),
  );

describe("the recorder", () => {
  it("returns changed slots, each once", () => {
    const recorder = new Recorder();
    recorder.add(secondOf(60, []));
    assert.deepEqual(
      recorder.take().map(({ level, time }) => [level, time]),
      [
        [1, 60],
        [10, 60],
        [60, 60],
      ],
    );
    assert.deepEqual(recorder.take(), []);
    recorder.add(secondOf(61, []));
    assert.deepEqual(
      recorder.take().map(({ level, samples }) => [level, samples]),
      [
        [1, 1],
        [10, 2],
        [60, 2],
      ],
    );
  });

  it("limits memory during an hour without a database, and drops single seconds first", () => {
    const recorder = new Recorder();
    for (let time = 0; time < 3_600; time++) {
      recorder.add(busy(time));
      recorder.giveBack(recorder.take());
    }
    const kept = recorder.take();
    const routes = kept.reduce((sum, { requests }) => sum + requests.size, 0);
    assert.ok(routes <= 30_000, `${routes} routes`);
    assert.ok(recorder.dropped > 3_000);
    assert.equal(kept.filter(({ level }) => level === 60).length, 60, "no minute is missing");
  });
});
