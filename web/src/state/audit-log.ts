import type { Change } from "../../../src/features/settings/wire.ts";
import { describeChange } from "../data/audit-log.ts";
import { useQuery } from "./query.ts";
import { roundWindow, type TimeWindow, timeWindow } from "./time-window.ts";

/** A change with its description. */
export type DescribedChange = Change & { readonly text: string };

/** The changes within a time window, newest first. */
export function useChanges(window: TimeWindow): readonly DescribedChange[] {
  const { data } = useQuery("/_/_/data/changes", { ...roundWindow(window), limit: 100 });
  return (data?.changes ?? []).map((change) => ({ ...change, text: describeChange(change) }));
}

/** The times of changes in the current time window, marked in charts. */
export function useMarkers(): readonly number[] {
  return useChanges(timeWindow.value).map(({ at }) => at);
}
