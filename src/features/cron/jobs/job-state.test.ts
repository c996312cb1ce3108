import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { parseTimezone } from "../planning/timezone.ts";
import { createSchedulerSettings, type SchedulerSettings } from "../scheduler-settings.ts";
import { cronMigrations } from "../tables.ts";
import { parseJob } from "./job.ts";
import { JobState } from "./job-state.ts";
import { createJobStore, type JobStore } from "./job-store.ts";
import { Scheduler } from "./scheduler.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

describe("a stored time zone that is not valid", () => {
  it("is logged once, and the configured one stays", async (t) => {
    const clock = new FakeClock("2026-03-02T10:00:30Z");
    const database = await openTestDatabase(t, "sqlite", cronMigrations);
    const settings = createSchedulerSettings(database);
    const scheduler = new Scheduler({ clock, timezone: "Asia/Tokyo", onDue: () => {} });
    const errors: string[] = [];
    const error = (message: string) => errors.push(message);
    const jobs = createJobStore(database);
    const state = new JobState({ jobs, settings, scheduler, clock, logger: { ...logger, error } });
    // Accepted by earlier versions.
    await settings.set("timezone", "BST");
    for (let reads = 0; reads < 3; reads++) await state.load();
    assert.equal(scheduler.timezone.name, "Asia/Tokyo");
    assert.deepEqual(errors, ["Stored time zone is unknown; keeping Asia/Tokyo"]);
    await settings.set("timezone", "Europe/London");
    await state.load();
    assert.equal(scheduler.timezone.name, "Europe/London");
  });
});

describe("a change of a job", () => {
  it("is not undone by a read that began before it was written", async (t) => {
    const clock = new FakeClock("2026-03-02T10:00:30Z");
    const database = await openTestDatabase(t, "sqlite", cronMigrations);
    const stored = createJobStore(database);
    const storedSettings = createSchedulerSettings(database);
    const scheduler = new Scheduler({ clock, timezone: "UTC", onDue: () => {} });
    const parts = { id: "job", name: "Job", description: "", schedule: "*/20 * * * *", run: () => {} };
    scheduler.add(parseJob(parts));

    // Between the start and the end of each change, another task reads the previous state.
    const gate = { open: Promise.withResolvers<void>(), reading: undefined as Promise<unknown> | undefined };
    const readMeanwhile = async () => {
      gate.open = Promise.withResolvers<void>();
      gate.reading = state.load();
    };
    const jobs: JobStore = {
      ...stored,
      async switched() {
        const rows = await stored.switched();
        await gate.open.promise;
        return rows;
      },
      async turn(...change) {
        await readMeanwhile();
        await stored.turn(...change);
      },
    };
    const settings: SchedulerSettings = {
      ...storedSettings,
      async set(...change) {
        await readMeanwhile();
        await storedSettings.set(...change);
      },
    };
    const state = new JobState({ jobs, settings, scheduler, clock, logger });
    const finishReading = async () => {
      gate.open.resolve();
      await gate.reading;
    };

    await state.setSwitch("paused", "job", true, {});
    await finishReading();
    assert.equal(scheduler.isPaused("job"), true);
    await state.setSwitch("paused", "job", false, {});
    await finishReading();
    assert.equal(scheduler.isPaused("job"), false);
    await state.setTimezone(parseTimezone("Asia/Kolkata"), {});
    await state.setTimezone(parseTimezone("Europe/Berlin"), {});
    await finishReading();
    assert.equal(scheduler.timezone.name, "Europe/Berlin");
  });
});
