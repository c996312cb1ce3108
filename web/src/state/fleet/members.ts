import { computed } from "@preact/signals";
import type { HealthReport, LongRequest } from "../../../../src/features/metrics/wire.ts";
import { seconds, snapshot } from "../live.ts";
import { isGone } from "./instance-list.ts";
import { chosenInstance, instances } from "./instances.ts";
import { mergeHealth } from "./merge-health.ts";

/** Current values of the running instances that the page shows: of the selected one, or of all. */

export interface LiveMember {
  readonly instance: string;
  readonly verdict: HealthReport | undefined;
  readonly requestsPerSecond: number;
  readonly system: Readonly<Record<string, number>>;
}

/** The instance that sends the live stream, second by second. */
const own = computed<LiveMember | undefined>(() => {
  const known = snapshot.value;
  const last = seconds.value.at(-1);
  if (!known) return undefined;
  const verdict = last?.verdict ?? known.verdict;
  const recent = seconds.value.slice(-10);
  const count = recent.reduce((sum, { requests }) => sum + requests.count, 0);
  return {
    instance: known.instance,
    verdict,
    requestsPerSecond: count / Math.max(1, recent.length),
    system: last?.system ?? {},
  };
});

/** Whether the selected instance does not run. */
export const isChosenGone = computed(() => {
  const chosen = chosenInstance.value;
  const list = instances.value;
  if (!list?.is_shared || chosen === undefined || chosen === own.value?.instance) return false;
  return isGone(list, chosen);
});

export const liveMembers = computed<readonly LiveMember[]>(() => {
  const first = own.value ? [own.value] : [];
  if (!instances.value?.is_shared) return first;
  const others = instances.value.instances.flatMap(({ instance, status }) =>
    status === undefined || instance === own.value?.instance
      ? []
      : [
          {
            instance,
            verdict: status.verdict,
            requestsPerSecond: status.requests_per_second,
            system: status.system,
          },
        ],
  );
  const chosen = chosenInstance.value;
  return [...first, ...others].filter(({ instance }) => chosen === undefined || instance === chosen);
});

/** Requests per second over the last seconds. Undefined if no instance is known. */
export const liveRate = computed(() =>
  liveMembers.value.length === 0
    ? undefined
    : liveMembers.value.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
);

/** A system metric over all instances: their sum or their maximum. Undefined if none has it. */
export function liveMetric(name: string, join: "sum" | "worst"): number | undefined {
  const values = liveMembers.value.flatMap(({ system }) => system[name] ?? []);
  if (values.length === 0) return undefined;
  return join === "sum" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
}

/** The worst status of all instances, with all reasons. */
export const liveHealth = computed(() => {
  const known = liveMembers.value.flatMap(({ instance, verdict }) =>
    verdict ? [{ instance, verdict }] : [],
  );
  return known.length === 0 ? undefined : mergeHealth(known);
});

/** From this share of failed requests on, the status is not healthy. Infinite while no instance is known. */
export const liveErrorLimit = computed(() =>
  // An instance of an older release does not report it.
  Math.min(...liveMembers.value.flatMap(({ verdict }) => verdict?.error_limit ?? [])),
);

/** Requests that have been in flight for a long time without a response. */
export const liveLongRequests = computed<readonly (LongRequest & { readonly instance: string })[]>(() =>
  liveMembers.value.flatMap(({ instance, verdict }) =>
    (verdict?.long_requests ?? []).map((request) => ({ ...request, instance })),
  ),
);
