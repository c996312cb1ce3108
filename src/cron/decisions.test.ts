import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../lib/testing/fake-clock.ts";
import { openTestDatabase } from "../storage/testing/test-database.ts";
import { Decisions } from "./decisions.ts";
import { parseJob } from "./job.ts";
import { createJobStore, type JobStore } from "./job-store.ts";
import { parseTimezone } from "./schedule/timezone.ts";
import { Scheduler } from "./scheduler.ts";
import { cronMigrations } from "./tables.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

describe("a decision", () => {
  it("is not undone by a read that began before it was written", async (t) => {
    const clock = new FakeClock("2026-03-02T10:00:30Z");
    const stored = createJobStore(await openTestDatabase(t, "sqlite", cronMigrations));
    const scheduler = new Scheduler({ clock, timezone: "UTC", onDue: () => {} });
    const parts = { id: "job", name: "Job", description: "", schedule: "*/20 * * * *", run: () => {} };
    scheduler.add(parseJob(parts));

    // Between the start and the end of each change, another task reads the previous state.
    const gate = { open: Promise.withResolvers<void>(), reading: undefined as Promise<void> | undefined };
    const readMeanwhile = async () => {
      gate.open = Promise.withResolvers<void>();
      gate.reading = decisions.read();
    };
    const jobs: JobStore = {
      ...stored,
      async all() {
        const rows = await stored.all();
        await gate.open.promise;
        return rows;
      },
      async turn(...change) {
        await readMeanwhile();
        await stored.turn(...change);
      },
      async changeSetting(...change) {
        await readMeanwhile();
        await stored.changeSetting(...change);
      },
    };
    const decisions = new Decisions({ jobs, scheduler, clock, logger });
    const finishReading = async () => {
      gate.open.resolve();
      await gate.reading;
    };

    await decisions.turn("paused", "job", true, {});
    await finishReading();
    assert.equal(scheduler.isPaused("job"), true);
    await decisions.turn("paused", "job", false, {});
    await finishReading();
    assert.equal(scheduler.isPaused("job"), false);
    await decisions.setTimezone(parseTimezone("Asia/Kolkata"), {});
    await decisions.setTimezone(parseTimezone("Europe/Berlin"), {});
    await finishReading();
    assert.equal(scheduler.timezone.name, "Europe/Berlin");
  });
});
