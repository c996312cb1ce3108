import { isSuperuser, requireSuperuserAuth } from "../auth/index.ts";
import { bodyLimit, neverCached, type RequestEvent, type RootRouter, type Router } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { readWindow } from "../lib/time-window.ts";
import type { Database } from "../storage/index.ts";
import { toSessionsAnswer, toSettingAnswer, toStorageAnswer } from "./answers.ts";
import { type ChangeKind, type Changes, changeKinds } from "./changes.ts";
import type { ConfigEntry } from "./config-entries.ts";
import { OPTION_FIXED, OPTION_UNKNOWN } from "./errors.ts";
import type { Overrides } from "./overrides.ts";
import { parseValue, type Setting, type SettingValue } from "./setting.ts";

export interface SettingsRoutesParts {
  readonly clock: Clock;
  readonly overrides: Overrides;
  readonly changes: Changes;
  /** All options by name, regardless of their value. */
  readonly entries: readonly ConfigEntry[];
  readonly elsewhere: Readonly<Record<string, { readonly remedy: string }>>;
  database(): Promise<Database>;
  readEntries(): Promise<ConfigEntry[]>;
  countSessions(): Promise<{ browsers: number; tokens: number }>;
}

const dayMs = 86_400_000;
const maxChanges = 500;
const maxMinutes = 1_440;
/** Enough for the longest list of paths with every character escaped. */
const bodyBytes = 65_536;

/** Routes for the configuration, its settings and the audit log. */
export function mountSettings(root: RootRouter, parts: SettingsRoutesParts): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, bodyLimit(bodyBytes));
  mountConfig(data, parts);
  mountChanges(data, parts);
}

function mountConfig(data: Router, parts: SettingsRoutesParts): void {
  const { overrides } = parts;

  data.get("/config", async (e) => {
    const database = await parts.database();
    return e.json(200, {
      entries: await parts.readEntries(),
      settings: overrides.list().map(toSettingAnswer),
      sessions: toSessionsAnswer(await parts.countSessions()),
      storage: toStorageAnswer(database.engine, await database.size()),
    });
  });

  data.put("/config/{name}", async (e) => {
    const setting = demandSetting(e.pathValue("name"), parts);
    const { value, minutes } = await readChange(e, setting);
    return e.json(
      200,
      toSettingAnswer(await overrides.change(setting, value, { minutes, actor: actorOf(e) })),
    );
  });

  data.delete("/config/{name}", async (e) => {
    const setting = demandSetting(e.pathValue("name"), parts);
    return e.json(200, toSettingAnswer(await overrides.revert(setting, { actor: actorOf(e) })));
  });
}

function mountChanges(data: Router, { changes, clock }: SettingsRoutesParts): void {
  data.get("/changes", async (e) => {
    // The end of a window is exclusive, and the latest entry should be included.
    const window = readWindow((name) => e.query(name), clock.now() + 1, 400 * dayMs);
    const found = await changes.list({ ...window, limit: readLimit(e), kinds: readKinds(e) });
    return e.json(200, { ...window, changes: found });
  });
}

function demandSetting(name: string, { overrides, entries, elsewhere }: SettingsRoutesParts): Setting {
  const setting = overrides.find(name);
  if (setting) return setting;
  const entry = entries.find((each) => each.name === name);
  if (!entry) throw OPTION_UNKNOWN(name.slice(0, 100));
  const { variable } = entry;
  const places =
    variable === undefined ? "in createApp" : `in createApp or with the environment variable ${variable}`;
  const remedy = Object.hasOwn(elsewhere, name) ? elsewhere[name]!.remedy : `set it ${places} and restart`;
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
    const message = `The value of ${setting.name} must be ${(error as Error).message}.`;
    return { problem: { code: "invalid", message } };
  }
}

/** Forms send null for empty fields. */
function minutesProblem(minutes: unknown): FieldProblem | undefined {
  const isFit = minutes == null || (Number.isInteger(minutes) && isBetween(minutes as number, 1, maxMinutes));
  const message = `The value of minutes must be an integer from 1 to ${maxMinutes}, or omitted.`;
  return isFit ? undefined : { code: "invalid", message };
}

function readLimit(e: RequestEvent<never>): number {
  const text = e.query("limit") || "100";
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const message = `The value of limit must be an integer from 1 to ${maxChanges}.`;
  refuseInvalid({ limit: isBetween(limit, 1, maxChanges) ? undefined : { code: "invalid", message } });
  return limit;
}

/** Reads one kind, or several separated by commas. */
function readKinds(e: RequestEvent<never>): ChangeKind[] | undefined {
  const words = e.query("kind")?.split(",").filter(Boolean) ?? [];
  const kinds = changeKinds.filter((kind) => words.includes(kind));
  const message = `The value of kind must be one or more of ${changeKinds.join(", ")}, separated by commas.`;
  const isKnown = words.every((word) => kinds.some((kind) => kind === word));
  refuseInvalid({ kind: isKnown ? undefined : { code: "invalid", message } });
  return words.length === 0 ? undefined : kinds;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function actorOf(e: RequestEvent<never>): string | undefined {
  return isSuperuser(e.auth) ? e.auth.email : undefined;
}
