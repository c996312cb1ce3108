import { actorOf, requireSuperuserAuth } from "../../auth/index.ts";
import type { DroppedData, OwnOption, StoreState } from "../../feature/index.ts";
import {
  bodyLimit,
  compress,
  neverCached,
  query,
  type RequestEvent,
  type RootRouter,
  type Router,
  readQuery,
} from "../../http/index.ts";
import type { FieldProblem } from "../../lib/errors/errors.ts";
import { invalid, refuseInvalid } from "../../lib/fields.ts";
import type { OptionGroup } from "../../lib/options/option-set.ts";
import type { OptionEntry } from "../../lib/options/show-option.ts";
import { messageOf } from "../../lib/thrown.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { dayMs } from "../../lib/time/units.ts";
import type { Database, Store } from "../../storage/index.ts";
import { type AuditLog, changeKinds } from "./audit-log.ts";
import { OPTION_FIXED, OPTION_UNKNOWN } from "./errors.ts";
import type { Overrides, SettingState } from "./overrides.ts";
import {
  toDroppedResponse,
  toGroupResponse,
  toSessionsResponse,
  toSettingResponse,
  toStorageResponse,
} from "./responses.ts";
import { parseValue, type Setting, type SettingValue } from "./setting.ts";
import { describeStores, type FindOption } from "./stored-data.ts";
import { auditLogDays } from "./tables.ts";
import type * as wire from "./wire.ts";

export interface SettingsRoutesParts {
  readonly clock: Clock;
  readonly overrides: Overrides;
  readonly auditLog: AuditLog;
  /** All options by name, regardless of their value. */
  readonly entries: readonly OptionEntry[];
  readonly groups: readonly OptionGroup[];
  readonly stores: readonly Store[];
  dropped(): readonly DroppedData[];
  storeStates(): readonly (() => Promise<StoreState>)[];
  ownOptions(): readonly OwnOption[];
  database(): Promise<Database>;
  readEntries(): Promise<OptionEntry[]>;
  countSessions(): Promise<{ browsers: number; tokens: number }>;
}

const maxChanges: wire.SettingsLimits["changes"] = 500;
const maxMinutes = 1_440;
/** Enough for the longest list of paths with every character escaped. */
const bodyBytes = 65_536;

/** Routes for the configuration, its settings and the audit log. */
export function mountSettings(root: RootRouter, parts: SettingsRoutesParts): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, bodyLimit(bodyBytes), compress());
  mountConfig(data, parts);
  mountChanges(data, parts);
}

function mountConfig(data: Router, parts: SettingsRoutesParts): void {
  const { overrides } = parts;

  data.get("/config", async (e) => {
    const database = await parts.database();
    const [entries, settings] = [await parts.readEntries(), overrides.list()];
    const { engine } = database;
    const stored = await database.size();
    return e.json(200, {
      entries,
      groups: parts.groups.map(toGroupResponse),
      settings: settings.map(toSettingResponse),
      sessions: toSessionsResponse(await parts.countSessions()),
      storage: toStorageResponse(
        engine,
        stored,
        describeStores(
          parts.stores,
          engine,
          stored,
          createFindOption(entries, settings),
          await readStates(parts),
        ),
      ),
      dropped: parts.dropped().map(toDroppedResponse),
    } satisfies wire.ConfigResponse);
  });

  data.put("/config/{name}", async (e) => {
    const setting = demandSetting(e.pathValue("name"), parts);
    const { value, minutes } = await readChange(e, setting);
    return e.json(
      200,
      toSettingResponse(await overrides.change(setting, value, { minutes, actor: actorOf(e) })),
    );
  });

  data.delete("/config/{name}", async (e) => {
    const setting = demandSetting(e.pathValue("name"), parts);
    return e.json(200, toSettingResponse(await overrides.revert(setting, { actor: actorOf(e) })));
  });
}

/** What is not known is left out: the page must also work while a thread does not respond. */
async function readStates({ storeStates }: SettingsRoutesParts): Promise<StoreState[]> {
  const states = await Promise.allSettled(storeStates().map((read) => read()));
  return states.flatMap((state) => (state.status === "fulfilled" ? [state.value] : []));
}

function createFindOption(entries: readonly OptionEntry[], settings: readonly SettingState[]): FindOption {
  return (name) => {
    const kind = settings.find(({ setting }) => setting.name === name)?.setting.kind;
    const unit = kind?.kind === "number" ? kind.unit : undefined;
    return { unit, value: entries.find((entry) => entry.name === name)?.value };
  };
}

function mountChanges(data: Router, { auditLog, clock }: SettingsRoutesParts): void {
  data.get("/changes", async (e) => {
    const { window, limit, kind } = readQuery(e, {
      // The end of a window is exclusive, and the latest entry should be included.
      window: query.window({ to: clock.now() + 1, from: (to) => to - auditLogDays * dayMs }),
      limit: query.int({ min: 1, max: maxChanges, default: 100 }),
      kind: query.list(changeKinds),
    });
    const found = await auditLog.list({ ...window, limit, kinds: kind });
    return e.json(200, { ...window, changes: found } satisfies wire.ChangeList);
  });
}

function demandSetting(name: string, { overrides, entries, ownOptions }: SettingsRoutesParts): Setting {
  const setting = overrides.find(name);
  if (setting) return setting;
  const entry = entries.find((each) => each.name === name);
  if (!entry) throw OPTION_UNKNOWN(name.slice(0, 100));
  const { variable } = entry;
  const places =
    variable === undefined ? "in createApp" : `in createApp or with the environment variable ${variable}`;
  const own = ownOptions().find((each) => each.name === name);
  const remedy = own?.remedy ?? `set it ${places} and restart`;
  throw OPTION_FIXED(name, remedy);
}

async function readChange(
  e: RequestEvent<never>,
  setting: Setting,
): Promise<{ value: SettingValue; minutes: number | undefined }> {
  const body = await e.bindBody<unknown>();
  const { value, minutes } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const parsed = readValue(setting, value);
  refuseInvalid({ value: parsed.problem, minutes: minutesProblem(minutes) });
  return { value: parsed.value!, minutes: (minutes as number | null | undefined) ?? undefined };
}

function readValue(setting: Setting, given: unknown): { value?: SettingValue; problem?: FieldProblem } {
  try {
    return { value: parseValue(setting, given) };
  } catch (error) {
    return { problem: invalid(setting.name, messageOf(error)) };
  }
}

/** Forms send null for empty fields. */
function minutesProblem(minutes: unknown): FieldProblem | undefined {
  const isInteger = typeof minutes === "number" && Number.isInteger(minutes);
  const isValid = minutes == null || (isInteger && minutes >= 1 && minutes <= maxMinutes);
  return isValid ? undefined : invalid("minutes", `an integer from 1 to ${maxMinutes}, or omitted`);
}
