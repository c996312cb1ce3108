import type { Job, QueuedRun } from "../../../../src/features/cron/wire.ts";
import { get, HttpError, send } from "../../data/api.ts";
import { setParams } from "../../state/address.ts";
import { confirm } from "../../ui/feedback/dialog.tsx";
import { attempt, toast } from "../../ui/feedback/toast.tsx";

/** Actions on jobs. */

type Named = Pick<Job, "id" | "name">;

/** Starts a job and opens the run, or links to the run that prevents it. */
export async function runJob(job: Named): Promise<void> {
  try {
    const { run_id } = await send("POST /api/cron/jobs/{id}/run", { id: job.id });
    setParams({ run: run_id });
  } catch (error) {
    const isBusy = error instanceof HttpError && error.status === 409;
    const inTheWay = isBusy ? await findRunning(job.id) : undefined;
    if (inTheWay === undefined) toast((error as Error).message, "bad");
    else await offerRun(job, (error as Error).message, inTheWay);
  }
}

export async function cancelQueued({ id, attempt: count }: QueuedRun): Promise<boolean> {
  const what = count > 1 ? "retry" : "run";
  const isSure = await confirm({
    title: `Cancel this ${what}?`,
    body: <p>The {what} is removed from the queue and does not start. The job itself is not affected.</p>,
    action: `Yes, cancel the ${what}`,
    isDangerous: true,
  });
  return isSure && attempt(() => send("POST /api/cron/runs/{run_id}/cancel", { run_id: id }));
}

async function findRunning(id: string): Promise<string | undefined> {
  const job = await get("/_/_/data/cron/jobs/{id}", { id }).catch(() => undefined);
  return job?.running[0]?.run_id;
}

async function offerRun({ name }: Named, sentence: string, runId: string): Promise<void> {
  const body = <p>{sentence}</p>;
  const wantsIt = await confirm({ title: `${name} is already running`, body, action: "Watch that run" });
  if (wantsIt) setParams({ run: runId });
}

export function pauseJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST /api/cron/jobs/{id}/pause", { id }));
}

export function resumeJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST /api/cron/jobs/{id}/resume", { id }));
}

export function restoreJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST /api/cron/jobs/{id}/restore", { id }));
}

export async function removeJob({ id, name }: Named): Promise<boolean> {
  const isSure = await confirm({
    title: `Remove ${name}?`,
    body: (
      <p>
        The job will not run on schedule or manually, even after a restart. Its past runs stay stored, and you
        can restore the job here.
      </p>
    ),
    action: "Remove the job",
    isDangerous: true,
  });
  return isSure && attempt(() => send("DELETE /api/cron/jobs/{id}", { id }));
}
