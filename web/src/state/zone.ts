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

/** The value of a `datetime-local` input, which has no time zone of its own. */
export function toTimeField(time: number): string {
  const offset = zone.value === "utc" ? 0 : new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19);
}

/** `NaN` if the field is empty or incomplete. */
export function parseTimeField(value: FormDataEntryValue | null): number {
  return Date.parse(`${value}${zone.value === "utc" ? "Z" : ""}`);
}

export function describeFieldZone(): string {
  return zone.value === "utc" ? "Times are in UTC." : "Times are in this browser’s time zone.";
}
