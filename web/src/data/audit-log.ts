import type { Change, ChangeKind, Life } from "../../../src/features/settings/wire.ts";
import { capitalize } from "../format/capitalize.ts";
import { formatValue } from "../format/values.ts";

/** Describes entries of the audit log. */

/** What was done to which kind of object. The verb form fits both "Ann paused the job" and "the job was paused". */
export interface AuditLabel {
  readonly done: string;
  readonly what: string;
  /** The name of the object, unless there is only one of its kind. */
  readonly subject?: string;
}

const labels: Readonly<Record<ChangeKind, readonly [done: string, what: string]>> = {
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

const unnamed: readonly ChangeKind[] = ["start", "stop", "timezone"];

export function auditLabel({ kind, subject }: Pick<Change, "kind" | "subject">): AuditLabel {
  const [done, what] = labels[kind] ?? ["changed", String(kind).replaceAll(/[._-]/g, " ")];
  return { done, what, ...(subject && !unnamed.includes(kind) && { subject }) };
}

/**
 * Additional information for the sentence: the instance that started or stopped, how long a value applies, or why it
 * was reverted.
 */
export function describeDetail(change: Change): string {
  const { kind, instance, detail } = change;
  const text = detail ?? "";
  if (kind === "start") return ` on ${instance}${text && ` ${text}`}${describeRelease(change)}`;
  if (kind === "stop") return ` on ${instance}${text && `, ${text}`}`;
  // The run is the target of the link, not part of the sentence.
  if (text === "" || kind === "run" || kind === "cancel") return "";
  return kind === "revert" ? `: ${text}` : ` ${text}`;
}

/** The lives before and after a start. Entries of older versions do not have them. */
export function livesOf({ kind, before, after }: Change): { before: Partial<Life>; after: Partial<Life> } {
  const read = (value: unknown) =>
    kind === "start" && typeof value === "object" && value !== null ? (value as Partial<Life>) : {};
  return { before: read(before), after: read(after) };
}

/** Whether another release was started than the one before on the same instance. */
export function isRelease(change: Change): boolean {
  const { before, after } = livesOf(change);
  return after.release != null && after.release !== before.release;
}

export function isCrash({ kind, detail }: Change): boolean {
  return kind === "start" && detail === "after a crash";
}

function describeRelease(change: Change): string {
  const { before, after } = livesOf(change);
  if (after.release == null) return "";
  const earlier = isRelease(change) && before.release != null ? `, before ${before.release}` : "";
  return `, release ${after.release}${earlier}`;
}

/** Whether the change has an old and a new value. The releases of a start do not count. */
export function hasValues({ kind, before, after }: Change): boolean {
  return kind !== "start" && kind !== "stop" && (before ?? after ?? null) !== null;
}

/** Describes a change in one sentence, with its actor if there is one. */
export function describeChange(change: Change): string {
  const { done, what, subject } = auditLabel(change);
  const object = subject === undefined ? what : `${what} ${subject}`;
  const sentence = change.actor ? `${change.actor} ${done} ${object}` : `${capitalize(object)} was ${done}`;
  const values = hasValues(change)
    ? ` from ${formatValue(change.before)} to ${formatValue(change.after)}`
    : "";
  return sentence + values + describeDetail(change);
}
