import { StartError } from "../../lib/errors/start-error.ts";

const key = Symbol.for("annex.worker");

/** Set in a process that runs jobs without listening on a port: `annex worker`. */
export interface WorkerMode {
  /** Port for health checks. None if undefined. */
  readonly healthPort: number | undefined;
  /** Called when an application starts. */
  onStart(): void;
}

type Marked = { [key]?: WorkerMode };

/** Makes every application of this process a worker. The command line calls this before it loads an application. */
export function setWorkerMode(mode: WorkerMode): void {
  (globalThis as Marked)[key] = mode;
}

export function currentWorkerMode(): WorkerMode | undefined {
  return (globalThis as Marked)[key];
}

/** Adds how to run a worker beside the server to the error of a folder that the server uses. */
export function explainWorkerError(error: unknown): unknown {
  if (!(error instanceof StartError) || error.code !== "DATA_DIR_IN_USE") return error;
  const remedy =
    "To run a worker beside the server, use PostgreSQL (SVC_DATABASE_URL): SQLite is for one process.";
  return new StartError(error.code, `${error.message} ${remedy}`, { cause: error });
}
