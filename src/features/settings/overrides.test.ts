import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settle } from "../../lib/testing/fake-clock.ts";
import { eventually } from "../../lib/testing/until.ts";
import { engines, openTestDatabase } from "../../storage/testing/test-database.ts";
import { type SettingsTables, settingsMigrations } from "./tables.ts";
import { createTestOverrides, start } from "./testing/test-settings.ts";

const ada = "ada@example.com";

for (const engine of engines) {
  describe(`a setting on ${engine}`, () => {
    const open = async (t: Parameters<typeof openTestDatabase>[0]) => {
      const database = await openTestDatabase(t, engine, settingsMigrations);
      const instance = createTestOverrides(database);
      t.after(() => instance.overrides.close());
      await instance.overrides.open();
      return { database, ...instance };
    };

    it("has the value from code and environment until it is changed", async (t) => {
      const { overrides, values, state, setting, recorded } = await open(t);
      assert.deepEqual(state("level").chosen, undefined);
      const changed = await overrides.change(setting("level"), "debug", { actor: ada });
      assert.equal(values.level, "debug");
      assert.deepEqual([changed.value, changed.initial], ["debug", "info"]);
      assert.deepEqual(
        [changed.chosen!.changed_at, changed.chosen!.changed_by, changed.chosen!.until],
        [start, ada, null],
      );
      await overrides.change(setting("level"), "warn", { actor: ada });
      const reverted = await overrides.revert(setting("level"), { actor: "eve@example.com" });
      assert.deepEqual([values.level, reverted.value, reverted.chosen], ["info", "info", undefined]);
      assert.deepEqual(
        recorded.map(({ kind, actor, before, after }) => [kind, actor, before, after]),
        [
          ["setting", ada, "info", "debug"],
          ["setting", ada, "debug", "warn"],
          ["revert", "eve@example.com", "warn", "info"],
        ],
      );
    });

    it("that was not changed is reverted silently", async (t) => {
      const { overrides, values, setting, recorded } = await open(t);
      await overrides.revert(setting("level"), { actor: ada });
      assert.deepEqual([values.level, recorded], ["info", []]);
    });

    it("stays changed after a restart, and can be reverted", async (t) => {
      const { database, overrides, setting } = await open(t);
      await overrides.change(setting("log.hours"), 5, { actor: ada });
      await overrides.change(setting("paths"), ["/a", "/b"]);
      await overrides.close();
      const again = createTestOverrides(database);
      t.after(() => again.overrides.close());
      await again.overrides.open();
      assert.deepEqual([again.values.hours, again.values.paths], [5, ["/a", "/b"]]);
      assert.deepEqual(
        [again.state("log.hours").initial, again.state("log.hours").chosen!.changed_by],
        [72, ada],
      );
      await again.overrides.revert(again.setting("log.hours"));
      assert.equal(again.values.hours, 72);
    });

    it("that was changed temporarily reverts automatically, which is reported once", async (t) => {
      const { overrides, values, clock, setting, recorded, state } = await open(t);
      await overrides.change(setting("level"), "debug", { actor: ada, minutes: 10 });
      assert.equal(state("level").chosen!.until, start + 600_000);
      for (let second = 0; second < 599; second += 3) {
        clock.advance(Math.min(3_000, 599_999 - second * 1_000));
        await settle(1);
      }
      assert.equal(values.level, "debug");
      clock.advance(5_000);
      await eventually(() => {
        clock.advance(1_000);
        return recorded.length > 1;
      });
      assert.equal(values.level, "info");
      assert.deepEqual(
        recorded.map(({ kind, actor, before, after, detail }) => [kind, actor, before, after, detail]),
        [
          ["setting", ada, "info", "debug", "for 10 minutes"],
          ["revert", undefined, "debug", "info", "expired"],
        ],
      );
      assert.equal(state("level").chosen, undefined);
    });

    it("that expired while no instance was running is reverted at the start", async (t) => {
      const { database, overrides, setting, clock } = await open(t);
      await overrides.change(setting("level"), "debug", { actor: ada, minutes: 1 });
      await overrides.close();
      clock.jump(60_000);
      const again = createTestOverrides(database, clock);
      t.after(() => again.overrides.close());
      await again.overrides.open();
      assert.equal(again.values.level, "info");
      assert.deepEqual(
        again.recorded.map(({ kind, before, after }) => [kind, before, after]),
        [["revert", "debug", "info"]],
      );
      const rows = await database.tables<SettingsTables>().selectFrom("annex_settings").selectAll().execute();
      assert.deepEqual(rows, []);
    });

    it("that has not expired at a restart reverts when it does", async (t) => {
      const { database, overrides, setting, clock } = await open(t);
      await overrides.change(setting("level"), "debug", { minutes: 1 });
      await overrides.close();
      const again = createTestOverrides(database, clock);
      t.after(() => again.overrides.close());
      await again.overrides.open();
      assert.equal(again.values.level, "debug");
      await eventually(() => {
        clock.advance(1_000);
        return again.values.level === "info";
      });
      assert.ok(clock.now() >= start + 60_000);
    });

    it("reverts to the value set by code in the meantime, and can be set by code", async (t) => {
      const { overrides, values, setting, state } = await open(t);
      values.level = "warn";
      await overrides.change(setting("level"), "debug");
      assert.equal(state("level").initial, "warn");
      values.level = "info";
      assert.equal(state("level").value, "info");
      await overrides.revert(setting("level"));
      assert.equal(values.level, "warn");
    });

    it("with an invalid stored value is ignored and logged", async (t) => {
      const { database, overrides } = await open(t);
      await overrides.close();
      const row = { changed_at: start, changed_by: null, until: null };
      const tables = database.tables<SettingsTables>();
      await tables
        .insertInto("annex_settings")
        .values([
          { ...row, name: "level", value: '"shout"' },
          { ...row, name: "log.hours", value: "{" },
          { ...row, name: "of.a.newer.release", value: "1" },
        ])
        .execute();
      const again = createTestOverrides(database);
      t.after(() => again.overrides.close());
      await again.overrides.open();
      assert.deepEqual([again.values.level, again.values.hours], ["info", 72]);
      const warned = again.said.filter(({ level }) => level === "warn").map(({ message }) => message);
      assert.equal(warned.length, 2);
      assert.match(warned[0]!, /invalid stored value of setting level: expected one of debug, info, warn/);
      again.clock.advance(3_000);
      await again.overrides.revert(again.setting("paths"));
      assert.equal(again.said.length, 2, "said once");
    });

    it("reverts on time even if the store is unreachable, and reports it when the store is back", async (t) => {
      const { database, overrides, values, setting, recorded, clock } = await open(t);
      await overrides.change(setting("level"), "debug", { minutes: 1 });
      const { schema } = database.tables();
      await schema.alterTable("annex_settings").renameTo("elsewhere").execute();
      clock.advance(60_000);
      await eventually(() => {
        clock.advance(1_000);
        return values.level === "info";
      });
      assert.equal(recorded.length, 1);
      await schema.alterTable("elsewhere").renameTo("annex_settings").execute();
      await eventually(() => {
        clock.advance(1_000);
        return recorded.length > 1;
      });
      assert.deepEqual(
        [recorded[1]!.kind, recorded[1]!.before, recorded[1]!.after],
        ["revert", "debug", "info"],
      );
    });

    it("is not changed when it cannot be stored", async (t) => {
      const { database, overrides, values, setting, recorded } = await open(t);
      await database.tables().schema.dropTable("annex_settings").execute();
      await assert.rejects(overrides.change(setting("level"), "debug"));
      assert.deepEqual([values.level, recorded], ["info", []]);
    });
  });
}

describe("a setting of a fleet", () => {
  it("applies to all instances a few seconds after a change or a revert", async (t) => {
    const database = await openTestDatabase(t, "postgres", settingsMigrations);
    const [one, other] = [createTestOverrides(database), createTestOverrides(database)];
    t.after(() => Promise.all([one.overrides.close(), other.overrides.close()]));
    await Promise.all([one.overrides.open(), other.overrides.open()]);
    await one.overrides.change(one.setting("level"), "debug", { actor: ada });
    assert.equal(other.values.level, "info");
    other.clock.advance(3_000);
    await eventually(() => other.values.level === "debug");
    assert.equal(other.state("level").chosen!.changed_by, ada);
    assert.deepEqual(other.recorded, [], "the instance that changed it has reported it");
    await one.overrides.change(one.setting("log.hours"), 5);
    await eventually(() => {
      other.clock.advance(1_000);
      return other.values.hours === 5;
    });
    assert.equal(other.said.length, 2, "what has not changed is neither said nor done again");
    await other.overrides.revert(other.setting("level"), { actor: ada });
    one.clock.advance(3_000);
    await eventually(() => one.values.level === "info");
    assert.equal(one.recorded.length, 2);
  });

  it("that expires is reported by one instance", async (t) => {
    const database = await openTestDatabase(t, "postgres", settingsMigrations);
    const instances = [1, 2, 3].map(() => createTestOverrides(database));
    t.after(() => Promise.all(instances.map(({ overrides }) => overrides.close())));
    const [first] = instances;
    await first!.overrides.open();
    await first!.overrides.change(first!.setting("level"), "debug", { minutes: 1 });
    for (const { overrides } of instances.slice(1)) await overrides.open();
    assert.ok(instances.every(({ values }) => values.level === "debug"));
    await eventually(() => {
      for (const { clock } of instances) clock.advance(1_000);
      return instances.every(({ values }) => values.level === "info");
    });
    await Promise.all(instances.map(({ overrides }) => overrides.close()));
    const reverts = instances.flatMap(({ recorded }) => recorded.filter(({ kind }) => kind === "revert"));
    assert.equal(reverts.length, 1);
  });

  it("that cannot be read is logged once, and applies again afterwards", async (t) => {
    const database = await openTestDatabase(t, "postgres", settingsMigrations);
    const one = createTestOverrides(database);
    t.after(() => one.overrides.close());
    await one.overrides.open();
    const { schema } = database.tables();
    await schema.alterTable("annex_settings").renameTo("elsewhere").execute();
    one.clock.advance(3_000);
    await eventually(() => one.said.some(({ level }) => level === "warn"));
    await schema.alterTable("elsewhere").renameTo("annex_settings").execute();
    await createTestOverrides(database).overrides.change(one.setting("level"), "debug");
    one.values.level = "info";
    await eventually(() => {
      one.clock.advance(1_000);
      return one.values.level === "debug";
    });
    assert.equal(one.said.filter(({ level }) => level === "warn").length, 1);
  });
});
