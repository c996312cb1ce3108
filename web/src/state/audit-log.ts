import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Change } from "../../../src/features/settings/wire.ts";
import { describeChange } from "../data/audit-log.ts";
import { type Marker, toMarkers } from "../data/markers.ts";
import { useQuery } from "./query.ts";
import { roundWindow, type TimeWindow, timeWindow } from "./time-window.ts";

/** A change with its description. */
export type DescribedChange = Change & { readonly text: string };

const known = signal<readonly DescribedChange[]>([]);
/** The server's limit per response. */
const mostChanges = 500;

/** The changes within a period around the current time window, newest first. The time bar loads them for all charts. */
export function useChanges(period: TimeWindow): readonly DescribedChange[] {
  const { data } = useQuery(
    "/_/_/data/changes",
    { ...roundWindow(period), limit: mostChanges },
    { every: 30_000 },
  );
  useEffect(() => {
    known.value = (data?.changes ?? []).map((change) => ({ ...change, text: describeChange(change) }));
  }, [data]);
  return known.value;
}

/** Releases, restarts, crashes and setting changes in the current time window. Every chart shows them. */
export const markers = computed<readonly Marker[]>(() => {
  const { from, to } = timeWindow.value;
  return toMarkers(
    known.value.filter(({ at }) => at >= from && at <= to),
    (to - from) / 60,
  );
});

/** The known releases, newest first. */
export const releases = computed(() =>
  toMarkers(known.value, 0)
    .filter((marker) => marker.kind === "release")
    .toReversed(),
);
