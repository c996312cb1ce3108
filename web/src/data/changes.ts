import { formatValue } from "../format/values.ts";
import { roundWindow, type TimeWindow, timeWindow } from "../state/time-window.ts";
import { useQuery } from "./query.ts";
import type { Change } from "./shapes.ts";

/** A change with its description. */
export type ToldChange = Change & { readonly text: string };

/** The changes within a time window, newest first. */
export function useChanges(window: TimeWindow): readonly ToldChange[] {
  const asked = { ...roundWindow(window), limit: 100 };
  const { data } = useQuery<{ changes: readonly Change[] }>("/_/_/data/changes", asked);
  return (data?.changes ?? []).map((change) => ({ ...change, text: tellChange(change) }));
}

/** The times of changes in the current time window, marked in charts. */
export function useMarkers(): readonly number[] {
  return useChanges(timeWindow.value).map(({ at }) => at);
}

/** What was done to which kind of object. The verb form fits both "Ann paused the job" and "the job was paused". */
export interface Deed {
  readonly done: string;
  readonly what: string;
  /** The name of the object, unless there is only one of its kind. */
  readonly subject?: string;
}

const deeds: Readonly<Record<string, readonly [done: string, what: string]>> = {
  start: ["started", "the application"],
  stop: ["stopped", "the application"],
  setting: ["changed", "the option"],
  revert: ["reverted", "the option"],
  timezone: ["changed", "the time zone of the schedules"],
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

/**
 * Additional information for the sentence: the instance that started or stopped, how long a value applies, or why it
 * was reverted.
 */
export function tellDetail({ kind, after, instance, detail }: Change): string {
  const said = detail ? String(detail) : "";
  if (kind === "start") return ` on ${instance}${after ? `, with Annex ${formatValue(after)}` : ""}`;
  if (kind === "stop") return ` on ${instance}${said && `, ${said}`}`;
  // The run is the target of the link, not part of the sentence.
  if (said === "" || kind === "run" || kind === "cancel") return "";
  return kind === "revert" ? `: ${said}` : ` ${said}`;
}

/** Whether the change has an old and a new value. The version of a start does not count. */
export function hasValues({ kind, before, after }: Change): boolean {
  return kind !== "start" && kind !== "stop" && (before ?? after ?? null) !== null;
}

/** Describes a change in one sentence, with its actor if there is one. */
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
