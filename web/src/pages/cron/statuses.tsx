import type { RunStatus, Trigger } from "../../../../src/features/cron/wire.ts";
import { Status, type Tone } from "../../ui/status.tsx";

export const statusWords: Readonly<Record<RunStatus, string>> = {
  success: "Succeeded",
  failed: "Failed",
  timeout: "Timed out",
  interrupted: "Interrupted",
  running: "Running",
};

const tones: Readonly<Record<RunStatus, Tone>> = {
  success: "good",
  failed: "bad",
  timeout: "bad",
  interrupted: "warn",
  running: "busy",
};

export function RunState({ status }: { status: RunStatus }) {
  return <Status tone={tones[status] ?? "quiet"}>{statusWords[status] ?? status}</Status>;
}

const triggerWords: Readonly<Record<Trigger, string>> = {
  schedule: "Schedule",
  manual: "Manual",
  "catch-up": "Catch-up",
  retry: "Retry",
};

/** The trigger of a run, and its user if there is one. */
export function describeTrigger(trigger: Trigger, actor: string | undefined): string {
  return `${triggerWords[trigger] ?? trigger}${actor === undefined ? "" : `, ${actor}`}`;
}
