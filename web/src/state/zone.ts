import { computed } from "@preact/signals";
import { param, setParams } from "./address.ts";

/** The zone in which times are shown: the browser's own, or UTC, in which servers speak. */
export const zone = computed<"utc" | "local">(() => (param("tz") === "utc" ? "utc" : "local"));

/** The name that Intl takes. */
export const zoneName = computed(() =>
  zone.value === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone,
);

export function chooseZone(wanted: "utc" | "local"): void {
  setParams({ tz: wanted === "utc" ? "utc" : undefined }, { replace: true });
}
