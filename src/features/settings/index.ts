import type { AccountChange } from "../../auth/index.ts";
import { defineFeature, type JobChange } from "../../feature/index.ts";
import type { OptionStore } from "../../lib/options/option-store.ts";
import type { ResolvedOption } from "../../lib/options/resolve-options.ts";
import { createAuditLog, type NewChange } from "./audit-log.ts";
import { createLives } from "./lives.ts";
import type { Setting, SettingValue } from "./setting.ts";
import { createSettings } from "./settings.ts";
import { settingsStore } from "./tables.ts";

/**
 * The effective configuration with the source of each value, settings that can be changed at run time, and the audit
 * log. Changes made at run time are stored, apply to all instances and override code and environment until they are
 * reverted.
 *
 * ```ts
 * const auditLog = createAuditLog({ database, clock: systemClock, instance: "web-1", logger });
 * const settings = createSettings({ database, clock: systemClock, logger, auditLog, settings: [logLevel], ...sources });
 * settings.mount(router);
 * await settings.open();
 * auditLog.record({ kind: "pause", subject: "report", actor: "ada@example.com" });
 * ```
 */
export const settings = defineFeature({
  name: "settings",
  stores: [settingsStore],
  options: [],
  observeAccounts({ clock, database, detail, instance, warn }) {
    const auditLog = createAuditLog({ database, clock, instance, logger: { warn } });
    return {
      onChange: (change) => auditLog.record({ ...toAccountRecord(change), detail }),
      close: auditLog.close,
    };
  },
  create(context) {
    const { allOptions, auth, clock, events, instance, logger, redactor, reports, storage } = context;
    const { database } = storage;
    const auditLog = createAuditLog({ database, clock, instance, logger, redactor });
    const life = { release: context.release ?? null, annex: context.version, pid: process.pid };
    reports.storeStates.add(async () => ({ store: settingsStore.name, ...auditLog.limitState() }));
    const lives = createLives({ auditLog, instance, life });
    events.on("app.started", () => lives.recordStart());
    events.on("app.stopped", ({ isRestart }) => lives.recordStop(isRestart));
    events.on("account.changed", (change) => auditLog.record(toAccountRecord(change)));
    events.on("job.changed", (change) => auditLog.record(toJobRecord(change)));
    const settings = createSettings({
      database,
      clock,
      logger,
      auditLog,
      settings: allOptions.changeable.map((each) => toSetting(each, allOptions)),
      entries: allOptions.entries,
      groups: allOptions.groups,
      stores: storage.stores,
      dropped: reports.dropped.list,
      storeStates: reports.storeStates.list,
      ownOptions: () => reports.ownOptions.list(),
      countSessions: auth.countSessions,
      onChange: (change) => events.emit("setting.changed", change),
    });
    return {
      mount: settings.mount,
      open: settings.open,
      async close() {
        await settings.close();
        await auditLog.close();
      },
    };
  },
});

function toSetting({ name, option, entry }: ResolvedOption, options: OptionStore): Setting {
  return {
    name,
    meaning: entry.about,
    kind: option.runtime!,
    effect: option.effect,
    parse: (value) => option.parse(value) as SettingValue,
    current: () => options.get(name) as SettingValue,
    apply: (value) => options.set(name, value),
  };
}

function toAccountRecord({ kind, email, actor }: AccountChange): NewChange {
  return { kind, subject: email, actor };
}

function toJobRecord({ runId, ...change }: JobChange): NewChange {
  return { ...change, detail: runId === undefined ? undefined : `run ${runId}` };
}
