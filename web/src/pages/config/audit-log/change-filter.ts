import { type Params, param } from "../../../state/address.ts";
import { mostChanges } from "../../../state/audit-log.ts";
import { isLive, timeWindow } from "../../../state/time-window.ts";

/** The filters of the audit log, stored in the URL. */

export const kindGroups = {
  settings: { label: "Settings", kinds: ["setting", "revert", "timezone"] },
  jobs: { label: "Jobs", kinds: ["run", "cancel", "pause", "resume", "remove", "restore"] },
  accounts: { label: "Accounts", kinds: ["superuser-add", "superuser-remove", "password"] },
  lives: { label: "Starts and stops", kinds: ["start", "stop"] },
} as const;

export type KindGroup = keyof typeof kindGroups;

export function chosenGroup(): KindGroup | undefined {
  const name = param("kind");
  return name !== undefined && name in kindGroups ? (name as KindGroup) : undefined;
}

/** Changes without a user. */
export const program = "(program)";

/** A link to one change must work regardless of the time window. */
export function isOfAllTime(): boolean {
  return (param("span") ?? (param("change") === undefined ? "window" : "all")) === "all";
}

export function changeParams(): Params {
  const group = chosenGroup();
  const { from, to } = timeWindow.value;
  const before = param("before");
  // A live window includes changes of the last moments.
  const window = isOfAllTime() ? {} : { from, to: isLive.value ? undefined : to };
  return {
    ...window,
    ...(before !== undefined && /^\d+$/.test(before) && { to: before }),
    kind: group && kindGroups[group].kinds.join(),
    limit: mostChanges,
  };
}
