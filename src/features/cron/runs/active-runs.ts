import type { Traced } from "../../../lib/trace-context.ts";
import type { CronLogger } from "../logger.ts";
import type { Execution } from "./execution.ts";
import type { NewRun } from "./store/begin-runs.ts";
import type { RunStore } from "./store/run-store.ts";

export interface ActiveRun {
  readonly row: NewRun;
  readonly execution: Execution;
  /** Resolves when the end of the run is stored. */
  readonly over: Promise<void>;
  /** Number of output entries that have been stored. */
  savedEntries: number;
  /** Number of errors after the end. */
  lateErrors: number;
}

/** The runs in progress on this instance. */
export class ActiveRuns {
  private readonly byId = new Map<string, ActiveRun>();
  private readonly byJob = new Map<string, Set<ActiveRun>>();

  get size(): number {
    return this.byId.size;
  }

  get ids(): string[] {
    return [...this.byId.keys()];
  }

  get traces(): Traced[] {
    return this.all().map(({ execution }) => execution.traced);
  }

  all(): ActiveRun[] {
    return [...this.byId.values()];
  }

  find(runId: string): ActiveRun | undefined {
    return this.byId.get(runId);
  }

  has(runId: string): boolean {
    return this.byId.has(runId);
  }

  hasJob(jobId: string): boolean {
    return this.byJob.has(jobId);
  }

  add(run: ActiveRun): void {
    const { id, job_id } = run.row;
    this.byId.set(id, run);
    this.byJob.set(job_id, (this.byJob.get(job_id) ?? new Set()).add(run));
  }

  delete(run: ActiveRun): void {
    const { id, job_id } = run.row;
    this.byId.delete(id);
    const ofJob = this.byJob.get(job_id);
    ofJob?.delete(run);
    if (ofJob?.size === 0) this.byJob.delete(job_id);
  }

  /** Stores output that was written since the last time. */
  async saveOutputs(store: RunStore, logger: CronLogger): Promise<void> {
    const changed = this.all().filter(({ execution, savedEntries }) => execution.output.count > savedEntries);
    if (changed.length === 0) return;
    const counts = changed.map(({ execution }) => execution.output.count);
    const outputs = changed.map(({ row, execution: { output, progress = null } }) => ({
      id: row.id,
      output: output.toString(),
      progress,
    }));
    try {
      await store.saveOutput(outputs);
      for (const [index, run] of changed.entries()) run.savedEntries = counts[index]!;
    } catch (error) {
      logger.warn("Failed to store job output; retrying", { error });
    }
  }
}
