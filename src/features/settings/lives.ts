import type { AuditLog } from "./audit-log.ts";
import type { Change, Life } from "./wire.ts";

/** Records the starts and stops of this process. A start also says whether the life before it ended with a stop. */
export interface Lives {
  recordStart(): void;
  recordStop(isRestart: boolean): void;
}

export interface LivesOptions {
  readonly auditLog: Pick<AuditLog, "record" | "list">;
  readonly instance: string;
  readonly life: Life;
  /** Whether a process of this machine is running. */
  isRunning?(pid: number): boolean;
}

/** The detail of a start that follows a crash. */
export const afterCrash = "after a crash";

export function createLives({ auditLog, instance, life, isRunning = processExists }: LivesOptions): Lives {
  /** The last entry of this instance until `at`. */
  async function findLast(at: number): Promise<Change | undefined> {
    const window = { from: 0, to: at + 1, limit: 1 };
    const [last] = await auditLog.list({ ...window, kinds: ["start", "stop"], instance });
    return last;
  }

  /** Instances that share a name may both be running. */
  function hasCrashed({ pid }: Partial<Life>): boolean {
    return pid === undefined || pid === life.pid || !isRunning(pid);
  }

  return {
    recordStart() {
      auditLog.record({
        kind: "start",
        subject: "application",
        after: life,
        async complete(at) {
          const last = await findLast(at);
          if (!last) return {};
          const before = readLife(last.kind === "start" ? last.after : last.before);
          const isCrash = last.kind === "start" && hasCrashed(before);
          return { before, ...(isCrash && { detail: afterCrash }) };
        },
      });
    },

    recordStop(isRestart) {
      const detail = isRestart ? "restart" : undefined;
      auditLog.record({ kind: "stop", subject: "application", before: life, detail });
    },
  };
}

/** Earlier versions recorded only the version of Annex. */
function readLife(value: unknown): Partial<Life> {
  if (typeof value === "string") return { annex: value };
  return typeof value === "object" && value !== null ? (value as Partial<Life>) : {};
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
