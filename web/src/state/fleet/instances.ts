import { computed, effect, signal } from "@preact/signals";
import type { InstanceList } from "../../../../src/features/metrics/wire.ts";
import { get } from "../../data/api.ts";
import { isSignedOut } from "../../data/session.ts";
import { page, param } from "../address.ts";
import { reconnected } from "../live.ts";
import { poll } from "../polling.ts";
import { isVisible } from "../visibility.ts";
import { withoutStatus } from "./instance-list.ts";

/** The instances that use the database, and what they report about themselves. Undefined until they are known. */
export const instances = signal<InstanceList | undefined>(undefined);

export const instanceNames = computed(() => instances.value?.instances.map(({ instance }) => instance) ?? []);

/** Whether pages show to which instance something belongs. With only one, that would be noise. */
export const hasSeveral = computed(() => instanceNames.value.length > 1);

/** The selected instance. Undefined: all of them. */
export const chosenInstance = computed(() => param("instance"));

/** The overview shows the load of other instances, which they report every five seconds. */
const closelyMs = 5_000;
const fleetMs = 15_000;
const aloneMs = 60_000;

const everyMs = computed(() => {
  if (!instances.value?.is_shared) return aloneMs;
  return page.value === "overview" ? closelyMs : fleetMs;
});

/** Older values are not current, like those of an instance without a heartbeat. */
const statusMs = 20_000;

/** Keeps the list up to date while the page is visible. */
export function followInstances(): void {
  effect(() => {
    if (!isVisible.value || isSignedOut.value) return;
    // Another instance may respond from now on.
    reconnected.value;
    return poll(everyMs.value, async (leaving) => {
      // The previous list remains in use; the connection itself is reported elsewhere.
      const patience = AbortSignal.any([leaving, AbortSignal.timeout(statusMs)]);
      const fresh = await get("/_/_/data/instances", {}, patience).catch(() => undefined);
      if (fresh && !leaving.aborted) receive(fresh);
    });
  });
}

let expiry: ReturnType<typeof setTimeout> | undefined;

function receive(list: InstanceList): void {
  instances.value = list;
  clearTimeout(expiry);
  expiry = setTimeout(() => {
    instances.value = withoutStatus(list);
  }, statusMs);
}
