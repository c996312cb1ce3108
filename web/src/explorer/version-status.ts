import type { Tone } from "../ui/status.tsx";

const tones: Readonly<Record<string, Tone>> = { stable: "good", testing: "info", deprecated: "warn" };

/** The colour of a version's status. Applications can have other statuses. */
export function toneOfStatus(status: string): Tone {
  return tones[status] ?? "quiet";
}
