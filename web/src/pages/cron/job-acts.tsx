import { get, Refusal, send } from "../../data/api.ts";
import { setParams } from "../../state/address.ts";
import { confirm } from "../../ui/dialog.tsx";
import { attempt, toast } from "../../ui/toast.tsx";
import type { Job } from "./shapes.ts";

/** Actions on jobs. */

type Named = Pick<Job, "id" | "name">;

const pathOf = (id: string) => `/api/cron/jobs/${encodeURIComponent(id)}`;

/** Starts a job and opens the run, or links to the run that prevents it. */
export async function runJob(job: Named): Promise<void> {
  try {
    const { run_id } = await send<{ run_id: string }>("POST", `${pathOf(job.id)}/run`);
    setParams({ run: run_id });
  } catch (error) {
    const isBusy = error instanceof Refusal && error.status === 409;
    const inTheWay = isBusy ? await findRunning(job.id) : undefined;
    if (inTheWay === undefined) toast((error as Error).message, "bad");
    else await offerRun(job, (error as Error).message, inTheWay);
  }
}

async function findRunning(id: string): Promise<string | undefined> {
  const job = await get<Job>(`/_/_/data/cron/jobs/${encodeURIComponent(id)}`).catch(() => undefined);
  return job?.running[0]?.run_id;
}

async function offerRun({ name }: Named, sentence: string, runId: string): Promise<void> {
  const body = <p>{sentence}</p>;
  const wantsIt = await confirm({ title: `${name} is already running`, body, action: "Watch that run" });
  if (wantsIt) setParams({ run: runId });
}

export function pauseJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST", `${pathOf(id)}/pause`));
}

export function resumeJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST", `${pathOf(id)}/resume`));
}

export function restoreJob({ id }: Named): Promise<boolean> {
  return attempt(() => send("POST", `${pathOf(id)}/restore`));
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
  return isSure && attempt(() => send("DELETE", pathOf(id)));
}
