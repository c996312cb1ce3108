import type { Change } from "../../../src/features/settings/wire.ts";
import { isCrash, isRelease, livesOf } from "./audit-log.ts";

/** A moment that may explain a change in a chart. */
export interface Marker {
  readonly id: string;
  readonly at: number;
  readonly kind: MarkerKind;
  /** A short name that is shown in the chart, such as a release. */
  readonly label?: string;
  /** One sentence per change. */
  readonly text: string;
}

export type MarkerKind = "release" | "restart" | "crash" | "setting";

type DescribedChange = Change & { readonly text: string };

/** The kind of marker for a change; undefined for changes that do not affect how requests are handled. */
export function markerKindOf(change: Change): MarkerKind | undefined {
  if (isCrash(change)) return "crash";
  if (change.kind === "start") return isRelease(change) ? "release" : "restart";
  return change.kind === "setting" || change.kind === "revert" || change.kind === "timezone"
    ? "setting"
    : undefined;
}

/**
 * The markers of changes, oldest first. Changes of the same kind that are less than `nearMs` apart share one: the
 * instances of a fleet start one after the other.
 */
export function toMarkers(changes: readonly DescribedChange[], nearMs: number): Marker[] {
  const found: Marker[] = [];
  for (const change of changes.toSorted((one, other) => one.at - other.at)) {
    const kind = markerKindOf(change);
    if (kind === undefined) continue;
    const label = kind === "setting" ? undefined : (livesOf(change).after.release ?? undefined);
    const last = found.findLast((marker) => marker.kind === kind && marker.label === label);
    if (last && change.at - last.at < nearMs) {
      found[found.indexOf(last)] = { ...last, text: `${last.text}\n${change.text}` };
    } else {
      found.push({
        id: String(change.id),
        at: change.at,
        kind,
        text: change.text,
        ...(label !== undefined && { label }),
      });
    }
  }
  return found;
}
