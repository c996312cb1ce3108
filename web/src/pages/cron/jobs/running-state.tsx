import type { Job } from "../../../../../src/features/cron/wire.ts";
import { Meter } from "../../../charts/meter.tsx";
import { hrefTo } from "../../../state/address.ts";
import { Elapsed } from "../../../ui/countdown.tsx";
import { Status } from "../../../ui/status.tsx";

/** Shows that a job is running, with its progress and a link to the run. */
export function RunningState({ job }: { job: Job }) {
  const [newest, ...others] = job.running;
  if (!newest) return null;
  return (
    <a class="share stack gap-0 plain-link" href={hrefTo("cron", { job: job.id, run: newest.run_id })}>
      <Status tone="busy">{others.length > 0 ? `Running ${job.running.length} times` : "Running"}</Status>
      {newest.progress !== undefined && <Meter ratio={newest.progress} label="Progress" colour="blue" />}
      <span class="hint">
        for <Elapsed since={newest.started_at} />
      </span>
    </a>
  );
}
