import { type Params, param } from "../../state/address.ts";
import { isLive, timeWindow } from "../../state/time-window.ts";

/** Which changes are asked for: all of it stands in the address. */

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

/** What is done by no person. */
export const program = "(program)";

/** Whoever follows a link to one change should find it, whatever the window is. */
export function isOfAllTime(): boolean {
  return (param("span") ?? (param("change") === undefined ? "window" : "all")) === "all";
}

/** As many as the server gives at once. */
export const mostChanges = 500;

export function changeParams(): Params {
  const group = chosenGroup();
  const { from, to } = timeWindow.value;
  const before = param("before");
  // What was done a moment ago is already in a window that follows the clock.
  const window = isOfAllTime() ? {} : { from, to: isLive.value ? undefined : to };
  return {
    ...window,
    ...(before !== undefined && /^\d+$/.test(before) && { to: before }),
    kind: group && kindGroups[group].kinds.join(),
    limit: mostChanges,
  };
}
