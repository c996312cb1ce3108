import { computed } from "@preact/signals";
import { param, setParams } from "./address.ts";

/** The time zone of displayed times: the browser's or UTC. */
export const zone = computed<"utc" | "local">(() => (param("tz") === "utc" ? "utc" : "local"));

/** The time zone name for Intl. */
export const zoneName = computed(() =>
  zone.value === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone,
);

export function chooseZone(wanted: "utc" | "local"): void {
  setParams({ tz: wanted === "utc" ? "utc" : undefined }, { replace: true });
}
