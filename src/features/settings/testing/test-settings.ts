import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { Database } from "../../../storage/index.ts";
import type { NewChange } from "../audit-log.ts";
import { Overrides } from "../overrides.ts";
import type { Setting } from "../setting.ts";
import { createSettingStore } from "../setting-store.ts";

export const start = Date.parse("2026-03-01T12:00:00Z");

const levels = ["debug", "info", "warn"];

/** Two settings, a level and a number. */
export function createTestSettings() {
  const values = { level: "info", hours: 72, paths: [] as readonly string[] };
  const settings: Setting[] = [
    {
      name: "level",
      meaning: "How much is said.",
      kind: { kind: "choice", options: levels },
      parse(value) {
        if (levels.includes(value as string)) return value as string;
        throw new Error("one of them");
      },
      current: () => values.level,
      apply(value) {
        values.level = value as string;
      },
    },
    {
      name: "log.hours",
      meaning: "How long it is kept.",
      kind: { kind: "number", unit: "hours", least: 1, most: 100 },
      parse: Number,
      current: () => values.hours,
      apply(value) {
        values.hours = value as number;
      },
    },
    {
      name: "paths",
      meaning: "What is left out.",
      kind: { kind: "paths", most: 3 },
      parse(value) {
        if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
        throw new Error("a list");
      },
      current: () => values.paths,
      apply(value) {
        values.paths = value as readonly string[];
      },
    },
  ];
  return { values, settings };
}

/** An instance with a fake clock, its log records and its changes. */
export function createTestOverrides(database: Database, clock = new FakeClock(start)) {
  const { values, settings } = createTestSettings();
  const recorded: NewChange[] = [];
  const said: { level: string; message: string }[] = [];
  const say = (level: string) => (message: string) => void said.push({ level, message });
  const overrides = new Overrides({
    store: createSettingStore(async () => database),
    clock,
    settings,
    auditLog: { record: (change) => void recorded.push(change) },
    logger: { info: say("info"), warn: say("warn") },
    isShared: async () => database.engine === "postgres",
  });
  const setting = (name: string) => overrides.find(name)!;
  const state = (name: string) => overrides.list().find((each) => each.setting.name === name)!;
  return { overrides, values, recorded, said, clock, setting, state };
}
