import { computed, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Change, SettingsLimits } from "../../../src/features/settings/wire.ts";
import { describeChange } from "../data/audit-log.ts";
import { type Marker, toMarkers } from "../data/markers.ts";
import { useQuery } from "./query.ts";
import { roundWindow, type TimeWindow, timeWindow } from "./time-window.ts";

/** A change with its description. */
export type DescribedChange = Change & { readonly text: string };

const known = signal<readonly DescribedChange[]>([]);
export const mostChanges: SettingsLimits["changes"] = 500;

/** The changes within a period around the current time window, newest first. The time bar loads them for all charts. */
export function useChanges(period: TimeWindow): readonly DescribedChange[] {
  const { data } = useQuery(
    "/_/_/data/changes",
    { ...roundWindow(period), limit: mostChanges },
    { every: 30_000 },
  );
  useEffect(() => {
    known.value = describe(data?.changes);
  }, [data]);
  return known.value;
}

function describe(changes: readonly Change[] = []): readonly DescribedChange[] {
  return changes.map((change) => ({ ...change, text: describeChange(change) }));
}

/** The markers of a period other than the time window, such as that of the last runs of a job. */
export function useMarkersOf(period: TimeWindow): readonly Marker[] {
  const { data } = useQuery(
    "/_/_/data/changes",
    { ...roundWindow(period), limit: mostChanges },
    { every: 60_000 },
  );
  const { from, to } = period;
  return useMemo(() => markersWithin(describe(data?.changes), { from, to }), [data, from, to]);
}

function markersWithin(changes: readonly DescribedChange[], { from, to }: TimeWindow): Marker[] {
  return toMarkers(
    changes.filter(({ at }) => at >= from && at <= to),
    (to - from) / 60,
  );
}

/** Releases, restarts, crashes and setting changes in the current time window. Every chart shows them. */
export const markers = computed<readonly Marker[]>(() => markersWithin(known.value, timeWindow.value));

/** The known releases, newest first. */
export const releases = computed(() =>
  toMarkers(known.value, 0)
    .filter((marker) => marker.kind === "release")
    .toReversed(),
);
