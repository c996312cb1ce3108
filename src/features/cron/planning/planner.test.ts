import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { type Due, Heap } from "./heap.ts";
import { Planner } from "./planner.ts";
import { parseSchedule } from "./schedule.ts";
import { parseTimezone } from "./timezone.ts";

const minute = 60_000;
const hour = 60 * minute;

function createPlanner(start: string) {
  const clock = new FakeClock(start);
  const fired: string[] = [];
  const planner = new Planner<string>({
    clock,
    onDue: (due) =>
      fired.push(...due.map(({ key, tick }) => `${key} ${new Date(tick).toISOString().slice(11, 16)}`)),
  });
  const set = (key: string, schedule: string, zone = "UTC") =>
    planner.set(key, parseSchedule(schedule), parseTimezone(zone));
  const take = () => fired.splice(0);
  return { clock, planner, set, take };
}

describe("the planner", () => {
  it("reports ticks when they are due, and simultaneous ticks together", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("often", "* * * * *");
    set("seldom", "*/2 * * * *");
    planner.start();
    clock.advance(30 * 1000 - 1);
    assert.deepEqual(take(), []);
    clock.advance(1);
    assert.deepEqual(take(), ["often 10:01"]);
    clock.advance(minute);
    assert.deepEqual(take().sort(), ["often 10:02", "seldom 10:02"]);
  });

  it("reports nothing before the start and after the stop", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("job", "* * * * *");
    clock.advance(10 * minute);
    planner.start();
    assert.deepEqual(take(), []);
    clock.advance(minute);
    assert.equal(take().length, 1);
    planner.stop();
    clock.advance(10 * minute);
    assert.deepEqual(take(), []);
  });

  it("removes deleted plans and replaces existing ones", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("a", "* * * * *");
    set("b", "* * * * *");
    planner.start();
    planner.delete("a");
    set("b", "0 * * * *");
    clock.advance(hour);
    assert.deepEqual(take(), ["b 11:00"]);
    assert.equal(planner.nextOf("a"), undefined);
    assert.equal(planner.nextOf("b"), Date.parse("2026-03-02T12:00Z"));
  });

  it("accepts an earlier tick while it waits for a later one", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("late", "0 12 * * *");
    planner.start();
    clock.advance(5_000);
    set("soon", "1 10 * * *");
    clock.advance(25_000);
    assert.deepEqual(take(), ["soon 10:01"]);
  });

  it("reports only the last missed tick of each job after system sleep", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T22:00:30Z");
    set("minutely", "* * * * *");
    set("daily", "0 2 * * *");
    set("noon", "0 12 * * *");
    planner.start();
    clock.jump(8 * hour);
    clock.advance(15_000);
    assert.deepEqual(take().sort(), ["daily 02:00", "minutely 06:00"]);
    clock.advance(15_000);
    assert.deepEqual(take(), ["minutely 06:01"]);
  });

  it("loses no run when the clock is set forward", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("job", "30 10 * * *");
    planner.start();
    clock.jump(hour);
    clock.advance(20_000);
    assert.deepEqual(take(), ["job 10:30"]);
  });

  it("plans again from the new time when the clock is set back", () => {
    const { clock, planner, set, take } = createPlanner("2036-03-02T10:00:30Z");
    set("job", "* * * * *");
    planner.start();
    clock.advance(minute);
    take();
    clock.jump(-10 * 365 * 24 * hour);
    clock.advance(20_000);
    assert.deepEqual(take(), []);
    clock.advance(minute);
    assert.equal(take().length, 1);
  });

  it("does not lose a tick when the clock is set back to just before it", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:30:05Z");
    set("job", "* * * * *");
    planner.start();
    clock.advance(minute);
    take();
    clock.jump(Date.parse("2026-03-02T09:59:55Z") - clock.now());
    clock.advance(20_000);
    assert.deepEqual(take(), ["job 10:00"]);
  });

  it("takes a tick again that was not due yet after all, but not in a loop", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("job", "* * * * *");
    set("paused", "* * * * *");
    planner.start();
    clock.advance(30_000);
    assert.equal(take().length, 2);
    planner.delete("paused");
    for (const key of ["job", "paused"]) planner.putBack(key, Date.parse("2026-03-02T10:01Z"));
    assert.equal(planner.oldest(), Date.parse("2026-03-02T10:01Z"));
    clock.advance(99);
    assert.deepEqual(take(), []);
    clock.advance(1);
    assert.deepEqual(take(), ["job 10:01"]);
    // The clock was 30 seconds ahead, and has been corrected.
    planner.putBack("job", Date.parse("2026-03-02T10:01Z"));
    clock.jump(-30_000);
    clock.advance(29_000);
    assert.deepEqual(take(), []);
    clock.advance(15_000);
    assert.deepEqual(take(), ["job 10:01"]);
  });

  it("takes the ticks of other jobs on time while one that it took back is not due", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("early", "2 10 * * *");
    planner.start();
    clock.advance(90_000);
    assert.deepEqual(take(), ["early 10:02"]);
    // The clock was 70 seconds ahead, and has been corrected.
    clock.jump(-70_000);
    set("other", "* * * * *");
    planner.putBack("early", Date.parse("2026-03-02T10:02Z"));
    clock.advance(10_000);
    assert.deepEqual(take(), ["other 10:01"]);
  });

  it("a correction of less than a second changes nothing", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:59Z");
    set("job", "* * * * *");
    planner.start();
    clock.advance(1_000);
    clock.jump(-900);
    clock.advance(59_000);
    assert.deepEqual(take(), ["job 10:01"]);
    clock.advance(2_000);
    assert.deepEqual(take(), ["job 10:02"]);
  });

  it("plans all jobs again when the timezone changes", () => {
    const { clock, planner, set, take } = createPlanner("2026-03-02T10:00:30Z");
    set("job", "0 12 * * *");
    set("other", "0 12 * * *");
    planner.start();
    planner.replan((key) => parseTimezone(key === "job" ? "Europe/Berlin" : "UTC"));
    assert.equal(planner.nextOf("job"), Date.parse("2026-03-02T11:00Z"));
    clock.advance(2 * hour);
    assert.deepEqual(take(), ["job 11:00", "other 12:00"]);
  });
});

describe("the heap", () => {
  it("returns the earliest item first after any additions, moves and removals", () => {
    let seed = 3;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const heap = new Heap<Due>();
    const items: Due[] = [];
    for (let step = 0; step < 5_000; step++) {
      const action = random(10);
      const index = random(items.length || 1);
      if (action < 5 || items.length === 0) {
        const item = { at: random(1_000), place: -1 };
        items.push(item);
        heap.add(item);
      } else if (action < 7) {
        heap.delete(items.splice(index, 1)[0]!);
      } else {
        items[index]!.at = random(1_000);
        heap.update(items[index]!);
      }
      assert.equal(heap.top?.at, items.length === 0 ? undefined : Math.min(...items.map(({ at }) => at)));
      assert.equal(heap.size, items.length);
    }
    for (const item of items) item.at = random(1_000);
    heap.rebuild();
    const order: number[] = [];
    while (heap.top) {
      order.push(heap.top.at);
      heap.delete(heap.top);
    }
    assert.deepEqual(
      order,
      items.map(({ at }) => at).sort((a, b) => a - b),
    );
  });
});
