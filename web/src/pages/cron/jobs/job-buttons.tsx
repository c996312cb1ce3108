import { useState } from "preact/hooks";
import type { Job } from "../../../../../src/features/cron/wire.ts";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { lazily } from "../../../ui/feedback/lazy.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { pauseJob, removeJob, restoreJob, resumeJob, runJob } from "../job-actions.tsx";

const RunDialog = lazily(async () => (await import("../runs/run-dialog.tsx")).RunDialog, null);

const systemReason = "A system job belongs to Annex and cannot be removed. It can be paused.";

interface JobButtonsProps {
  readonly job: Job;
  /** Called after the job has changed. */
  onChange(): void;
  /** Whether there is room for labels. */
  readonly isRoomy?: boolean;
}

/** The buttons of a job: icons in the list, labels on its page. */
export function JobButtons({ job, onChange, isRoomy = false }: JobButtonsProps) {
  const { name } = job;
  const [isChoosing, setChoosing] = useState(false);
  const after = (act: (job: Job) => Promise<unknown>) => async () => {
    await act(job);
    onChange();
  };
  if (job.removed) {
    return (
      <Button icon="restore" aria-label={`Restore ${name}`} onClick={after(restoreJob)}>
        Restore
      </Button>
    );
  }
  const [pauseWord, act, icon] = job.paused
    ? (["Resume", resumeJob, "clock"] as const)
    : (["Pause", pauseJob, "pause"] as const);
  return (
    <span class="job-actions row inline gap-2">
      <Button
        icon="play"
        look={isRoomy ? "primary" : "plain"}
        aria-label={`Run ${name}`}
        title="Run now, regardless of the schedule"
        onClick={after(runJob)}
      >
        Run
      </Button>
      {isRoomy && (
        <Button
          icon="more"
          aria-label={`Run with… ${name}`}
          title="Run with parameters or at a time"
          onClick={() => setChoosing(true)}
        >
          Run with…
        </Button>
      )}
      {isChoosing && <RunDialog job={job} onClose={() => setChoosing(false)} onDone={onChange} />}
      {isRoomy || job.paused ? (
        <Button icon={icon} aria-label={`${pauseWord} ${name}`} onClick={after(act)}>
          {pauseWord}
        </Button>
      ) : (
        <IconButton icon={icon} name={`${pauseWord} ${name}`} onClick={after(act)} />
      )}
      {job.is_system ? (
        <span class={isRoomy ? "hint" : "job-kept quiet"} title={systemReason}>
          {isRoomy ? "System jobs cannot be removed." : <Icon name="info" label={systemReason} />}
        </span>
      ) : isRoomy ? (
        <Button icon="trash" aria-label={`Remove ${name}`} onClick={after(removeJob)}>
          Remove
        </Button>
      ) : (
        <IconButton icon="trash" name={`Remove ${name}`} onClick={after(removeJob)} />
      )}
    </span>
  );
}
