// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Todo {
  id: string;
}

interface Owned {
  owner: string;
}

interface Setting<K, V> {
  key: K;
  value: V;
}

interface Settings {
  theme: Setting<"theme", "dark" | "light">;
  size: Setting<"size", 10 | 12>;
  beta: Setting<"beta", true>;
  canary: Setting<"beta", "true">;
  lists: Setting<"lists", string[]>;
  recent: Setting<"recent", Todo | null>;
  mine: Setting<"mine", Todo & Owned>;
  theirs: Setting<"mine", Todo | Owned>;
  window: Setting<"window", [number, number]>;
  corner: Setting<"window", [number, number?]>;
  shortcut: Setting<"shortcut", `ctrl-${string}`>;
  gesture: Setting<"shortcut", `swipe-${string}`>;
  editor: Setting<"editor", { font: string; wrap?: boolean }>;
  viewer: Setting<"editor", { font: string; wrap: boolean }>;
  weekday: Setting<"weekday", "mon" | "tue" | "wed" | "thu" | "fri">;
  unit: Setting<"unit", Intl.RelativeTimeFormatUnit>;
}

/** Contains itself, which it could not do without a name, whatever its argument is. */
interface Chain<T> {
  value: T;
  next?: Chain<T>;
}

declare function settings(): Settings;
declare function edits(): {
  edits: Chain<{ at: Date; size: number }>;
  window: Chain<[number, number]>;
};
declare function flags(): {
  flags: Chain<"on" | { until: Date }>;
  keys: Chain<`k-${number}`>;
};
declare function owners(): {
  owners: Chain<Todo & { shared: boolean }>;
  last: Chain<Chain<{ at: Date }>>;
};

function getSettings(e: RequestEvent) {
  return e.json(200, settings());
}

function getEdits(e: RequestEvent) {
  return e.json(200, edits());
}

function getFlags(e: RequestEvent) {
  return e.json(200, flags());
}

function getOwners(e: RequestEvent) {
  return e.json(200, owners());
}

export function routes(router: VersionedRouter): void {
  router.get("/settings", getSettings);
  router.get("/edits", getEdits);
  router.get("/flags", getFlags);
  router.get("/owners", getOwners);
}
