// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  allFlags,
  currentRevision,
  type FeatureFlag,
  findFlag,
  type FlagSettings,
  isOn,
  removeFlag,
  saveFlag,
} from "./flags.ts";

const NAME = /^[a-z][a-z0-9-]{1,63}$/;

function flagOf(e: RequestEvent<"name">): FeatureFlag {
  const flag = findFlag(e.pathValue("name"));
  if (!flag) throw e.error(404, "There is no such flag.");
  return flag;
}

/** Lists all flags. Clients poll this with If-None-Match. */
function listFlags(e: RequestEvent) {
  const etag = `"${currentRevision()}"`;
  e.setHeader("ETag", etag);
  if (e.header("If-None-Match") === etag) return e.text(304, "");
  return e.json(200, allFlags());
}

/** Tells which flags are on for a user. */
function evaluateFlags(e: RequestEvent) {
  const user = e.query("user");
  if (!user) throw e.error(400, "Tell for which user.");
  const visitor = { user, country: e.header("X-Country") };
  const states: Record<string, boolean> = {};
  for (const flag of allFlags()) states[flag.name] = isOn(flag, visitor);
  return e.json(200, states);
}

/** Creates or replaces a flag. */
async function putFlag(e: RequestEvent<"name">) {
  const name = e.pathValue("name");
  if (!NAME.test(name)) throw e.error(400, "A name has lower-case letters, digits and dashes.");
  const settings = await e.bindBody<FlagSettings>();
  const kinds = new Set(settings.rules.map((rule) => rule.type));
  if (kinds.size < settings.rules.length) throw e.error(422, "Use every kind of rule at most once.");
  const isNew = findFlag(name) === undefined;
  const flag = saveFlag(name, settings);
  return isNew ? e.json(201, flag) : e.json(200, flag);
}

/** Switches a flag on or off. */
async function toggleFlag(e: RequestEvent<"name">) {
  const { name, updatedAt, ...settings } = flagOf(e);
  if (Date.now() - updatedAt.getTime() < 1000) throw e.error(429, "It was changed a moment ago.");
  const { enabled } = saveFlag(name, { ...settings, enabled: !settings.enabled });
  return e.json(200, { name, enabled });
}

/** Deletes a flag. */
function deleteFlag(e: RequestEvent<"name">) {
  if (!removeFlag(e.pathValue("name"))) throw e.error(404, "There is no such flag.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/flags", listFlags);
  router.get("/evaluations", evaluateFlags);
  router.put("/flags/{name}", putFlag);
  router.post("/flags/{name}/toggle", toggleFlag);
  router.delete("/flags/{name}", deleteFlag);
}
