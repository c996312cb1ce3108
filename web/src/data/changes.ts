import { formatValue } from "../format/values.ts";
import { roundWindow, type TimeWindow, timeWindow } from "../state/time-window.ts";
import { useQuery } from "./query.ts";
import type { Change } from "./shapes.ts";

/** A change in words, to be shown where it may explain something. */
export type ToldChange = Change & { readonly text: string };

/** What was changed in a window of time, the newest first. */
export function useChanges(window: TimeWindow): readonly ToldChange[] {
  const asked = { ...roundWindow(window), limit: 100 };
  const { data } = useQuery<{ changes: readonly Change[] }>("/_/_/data/changes", asked);
  return (data?.changes ?? []).map((change) => ({ ...change, text: tellChange(change) }));
}

/** When something was changed in the window that is being looked at, to be marked in its charts. */
export function useMarkers(): readonly number[] {
  return useChanges(timeWindow.value).map(({ at }) => at);
}

/** What was done, and to what; the verb stands in both "somebody paused it" and "it was paused". */
export interface Deed {
  readonly done: string;
  readonly what: string;
  /** The name of what it was done to, where there can be several of it. */
  readonly subject?: string;
}

const deeds: Readonly<Record<string, readonly [done: string, what: string]>> = {
  start: ["started", "the application"],
  stop: ["stopped", "the application"],
  setting: ["changed", "the option"],
  revert: ["put back", "the option"],
  timezone: ["changed", "the timezone of the schedules"],
  pause: ["paused", "the job"],
  resume: ["resumed", "the job"],
  remove: ["removed", "the job"],
  restore: ["restored", "the job"],
  run: ["started", "the job"],
  cancel: ["cancelled", "a run of the job"],
  "superuser-add": ["added", "the superuser"],
  "superuser-remove": ["removed", "the superuser"],
  password: ["changed", "the password of"],
};

const unnamed = new Set(["start", "stop", "timezone"]);

export function deedOf({ kind, subject }: Pick<Change, "kind" | "subject">): Deed {
  const [done, what] = deeds[kind] ?? ["changed", kind.replaceAll(/[._-]/g, " ")];
  return { done, what, ...(subject && !unnamed.has(kind) && { subject }) };
}

/** What is added to the sentence: where a life began or ended, for how long a value was chosen, why it went back. */
export function tellDetail({ kind, after, instance, detail }: Change): string {
  const said = detail ? String(detail) : "";
  if (kind === "start") return ` on ${instance}${after ? `, with Annex ${formatValue(after)}` : ""}`;
  if (kind === "stop") return ` on ${instance}${said && `, ${said}`}`;
  // The run that was started is where the link leads, not a word of the sentence.
  if (said === "" || kind === "run" || kind === "cancel") return "";
  return kind === "revert" ? `: ${said}` : ` ${said}`;
}

/** Whether it has a value before and a value after, apart from the version of a start. */
export function hasValues({ kind, before, after }: Change): boolean {
  return kind !== "start" && kind !== "stop" && (before ?? after ?? null) !== null;
}

/** One sentence: who did what to what, or what happened by itself. */
export function tellChange(change: Change): string {
  const { done, what, subject } = deedOf(change);
  const object = subject === undefined ? what : `${what} ${subject}`;
  const sentence = change.actor
    ? `${change.actor} ${done} ${object}`
    : `${object[0]!.toUpperCase()}${object.slice(1)} was ${done}`;
  const values = hasValues(change)
    ? ` from ${formatValue(change.before)} to ${formatValue(change.after)}`
    : "";
  return sentence + values + tellDetail(change);
}
