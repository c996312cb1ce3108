import type { Auth } from "../auth/index.ts";
import type { JobManager } from "../cron/index.ts";
import type { InjectRequest, InjectResponse, Router } from "../http/index.ts";
import type { Logger, LogPage, LogQuery } from "../logging/index.ts";
import type { Database } from "../storage/index.ts";
import type { HookControl, HookOptions } from "./hooks.ts";

/** A backend with everything that Annex adds. Made by `createApp`. */
export interface App extends AsyncDisposable {
  /** Adds a function that registers routes when the server starts. Routes of Annex itself are registered before. */
  onServe(hook: (e: ServeEvent) => unknown, options?: HookOptions): void;
  /** Adds a function that runs when the application stops, while the database is still open. */
  onTerminate(hook: (e: TerminateEvent) => unknown, options?: HookOptions): void;
  /** What runs on a schedule. Jobs are registered before or after the start. */
  readonly jobs: JobManager;
  readonly logger: Logger;
  /** The log records that are kept in the database. */
  readonly logs: { search(query?: LogQuery): Promise<LogPage> };
  /** The accounts that may see and change what Annex shows. Usable before and after the start. */
  readonly superusers: Auth["superusers"];
  /** Tells how the application's own identities are found; what it returns becomes `e.auth`. */
  authenticate(resolve: Parameters<Auth["resolveWith"]>[0]): void;
  /** The database, opened and migrated, for the application's own tables. */
  database(): Promise<Database>;
  /** Starts to listen. */
  start(): Promise<Started>;
  /** Stops accepting, lets what is in flight end, writes everything out. */
  stop(options?: { isRestart?: boolean }): Promise<void>;
  /** A request without a socket, for tests. It works before `start` too, and takes the same way as a real one. */
  inject(request: InjectRequest): Promise<InjectResponse>;
}

export interface Started {
  readonly url: string;
  readonly port: number;
  /** Where the first superuser is created; absent when there is one already. */
  readonly setupUrl?: string;
}

export interface ServeEvent extends HookControl {
  readonly app: App;
  /** Routes outside any version, and middleware for all of the application's routes. */
  readonly router: Router;
}

export interface TerminateEvent extends HookControl {
  readonly app: App;
  /** True when the process ends to be started again at once, as in development. */
  readonly isRestart: boolean;
}

declare module "../http/host.ts" {
  interface Host extends App {}
}
