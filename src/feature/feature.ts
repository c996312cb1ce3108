import type { AccessEvent, AccountChange, Auth } from "../auth/index.ts";
import type { BoundFunction, LongRequests, RootRouter, StreamNumbers } from "../http/index.ts";
import type { OptionSet, ValuesOfAll } from "../lib/options/option-set.ts";
import type { LiveOptions, OptionStore } from "../lib/options/option-store.ts";
import type { Redactor } from "../lib/redaction/redactor.ts";
import type { SystemJob } from "../lib/system-job.ts";
import type { AlarmClock } from "../lib/time/clock.ts";
import type { Removal } from "../lib/time/removal.ts";
import type { Traced } from "../lib/trace-context.ts";
import type { Caller } from "../lib/worker/contract.ts";
import type {
  BackgroundContract,
  BackgroundService,
  BackgroundThread,
  Database,
  DatabaseOptions,
  Store,
  UpgradeStep,
} from "../storage/index.ts";
import type { Events } from "./events.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** The logger that features use. */
export interface FeatureLogger {
  /** Writes a record. Uses the trace ID of the current request unless one is given. */
  write(level: LogLevel, message: string, data?: object, traceId?: string): void;
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
}

/** A page of the dashboard, with the parameters of its URL. */
export interface DashboardLink {
  readonly page: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** A reason why an instance is not healthy. */
export interface HealthIssue {
  /** Identifies the issue while it lasts. */
  readonly id: string;
  readonly status: "degraded" | "failing";
  /** One or more sentences, with the measured values. */
  readonly message: string;
  /** When it began, in milliseconds since the epoch. Default: when it was first reported. */
  readonly since?: number | undefined;
  /** Where the dashboard shows the cause. */
  readonly link?: DashboardLink | undefined;
}

/** A condition under which a feature reports issues. The documentation lists it. */
export interface HealthCondition {
  /** The ID of the issues. A `*` at the end matches any characters. */
  readonly id: string;
  /** In Markdown. */
  readonly condition: string;
  /** From when on an instance is degraded, or failing: a limit in words, or "yes". Absent for never. */
  readonly degraded?: string;
  readonly failing?: string;
}

/** An issue of a period that may be over. */
export interface PastIssue extends HealthIssue {
  readonly until?: number | undefined;
}

/** Data that is dropped so that the application does not have to wait, and counted since the start. */
export interface DroppedData {
  /** For the counter and for JSON. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences on the cause and the remedy. */
  readonly about: string;
  /** What is missing afterwards. While it is, `/api/health` is `degraded`. Absent if nothing is missing. */
  readonly loss?: string;
  count(): number;
}

/** What a limit currently does to a store. */
export interface StoreState {
  /** The name of the store. */
  readonly store: string;
  /** A deletion in progress. */
  readonly removing?: Removal | undefined;
  /** Data that the limit deletes before its retention ends: "11 of 30 days of minutes fit". */
  readonly early?: readonly string[] | undefined;
}

/** A counter for Prometheus. */
export interface Counter {
  /** Without "annex_" and "_total". */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: Readonly<Record<string, number>>;
}

/** What features report to others without knowing them. Features add in `create`, and read later. */
export interface Reports {
  /** Maintenance jobs, which the scheduler runs. */
  readonly jobs: Registry<SystemJob>;
  /** Data that cannot be stored. Meanwhile, `/api/health` is `degraded`. */
  readonly storageIssues: Registry<() => readonly HealthIssue[]>;
  /** Why this instance cannot run jobs. Meanwhile, `/api/health` is `degraded`, and a worker is not ready. */
  readonly fleetIssues: Registry<() => readonly HealthIssue[]>;
  /** Other issues, for the health status of the dashboard. */
  readonly healthIssues: Registry<() => readonly HealthIssue[]>;
  /** Issues that existed in a period, in milliseconds since the epoch. */
  readonly pastIssues: Registry<(from: number, to: number) => Promise<readonly PastIssue[]>>;
  readonly counters: Registry<() => Counter>;
  readonly dropped: Registry<DroppedData>;
  /** What the limits of stores do. Rejects if it is not known. */
  readonly storeStates: Registry<() => Promise<StoreState>>;
  /** The job runs in progress on this instance, as their trace contexts. Called at any point of any code: must only read. */
  readonly activeRuns: Registry<() => readonly Traced[]>;
  /** Whether this instance lost its lease, so that it runs no jobs. */
  readonly fenced: Registry<() => boolean>;
  /** What the client of the dashboard starts with, by name, so that its first numbers do not need a request. */
  readonly initialData: Registry<() => object>;
  /** Options that are changed through a route of their feature, and not through the settings. */
  readonly ownOptions: Registry<OwnOption>;
}

export interface Registry<T> {
  add(...items: T[]): void;
  list(): readonly T[];
}

export interface OwnOption {
  readonly name: string;
  /** Value set at run time; `undefined` if none was set. */
  chosen(): Promise<unknown>;
  /** End of the error message, such as "use POST /api/cron/config/timezone". */
  readonly remedy: string;
}

/** Where records go. The logging feature provides it. */
export interface LogOutput {
  readonly write: FeatureLogger["write"];
  /** Writes pending records. Called last, because everything else may log while it closes. */
  close(): Promise<void>;
}

/** The HTTP server, as features see it. */
export interface ServerState {
  isDraining(): boolean;
  requestsInFlight(): number;
  /** Calls back when a request arrives while none is in flight, before it is handled. */
  onBusy(listener: () => void): void;
  connections(): number;
  /** Event streams and WebSockets. The numbers change. */
  readonly streams: StreamNumbers;
  longRequests(): LongRequests;
  /** Requests in flight without a response, of any age. */
  openRequests(): LongRequests;
  readonly longRequestMs: number;
  /** Whether this process only runs jobs (`annex worker`). */
  readonly isWorker: boolean;
  /** The middleware of all routers and routes. Complete in `ready`. */
  listMiddleware(): readonly BoundFunction[];
}

/** The databases of the application. */
export interface Storage {
  readonly dataDir: string;
  /** The data of all features, and of Annex itself. */
  readonly stores: readonly Store[];
  /** The application's database, opened and migrated. */
  database(): Promise<Database>;
  /** The same, after the data folder was locked for this process. */
  own(): Promise<Database>;
  /** Whether all instances share a database server. Otherwise, data is stored in files of the data folder. */
  readonly isShared: boolean;
  /** Connection options of a separate file. If the database is shared, of the server. */
  fileOptions(file: string): DatabaseOptions;
  /** Whether the application has tables of its own, or has asked for its database. */
  readonly isUsedByApplication: boolean;
  /** Whether the database server does not respond. */
  isUnavailable(): boolean;
  /** Reports a step of the upgrade of a file. */
  reportUpgrade(file: string, step: UpgradeStep): void;
  /** Reports a damaged file that was moved aside. */
  reportSetAside(path: string): void;
  /** Reports damage in one sentence, for the health status. */
  reportDamage(sentence: string, detail: string): void;
}

/** The thread for work that would block requests. It starts when it is first used. */
export interface SharedBackground extends Pick<BackgroundThread, "problem" | "lost"> {
  /** Adds a service to the thread and returns its calls. Only in `create`. */
  register<Contract extends BackgroundContract>(
    name: string,
    service: BackgroundService<Contract>,
  ): Caller<Contract["calls"]>;
}

/** What a feature is created with. */
export interface FeatureContext<Values = object> {
  readonly options: LiveOptions<Values>;
  /** The options of all features. */
  readonly allOptions: OptionStore;
  readonly events: Events;
  readonly reports: Reports;
  readonly clock: AlarmClock;
  readonly logger: FeatureLogger;
  /** Sets the output of the logger. */
  useLogOutput(output: LogOutput): void;
  readonly redactor: Redactor;
  readonly auth: Pick<Auth, "countSessions">;
  /** The function that authenticates the application's own users, if it set one. */
  authenticateFunction(): Parameters<Auth["resolveWith"]>[0] | undefined;
  /** The values of all environment variables. They may be secrets, so API documents must not contain them. */
  environmentValues(): string[];
  /** Whether output to a terminal may have colors. */
  readonly allowsColors: boolean;
  readonly server: ServerState;
  readonly storage: Storage;
  readonly background: SharedBackground;
  /** The name of this machine or container among the instances. */
  readonly instance: string;
  /** The release of the application, if it is known. */
  readonly release: string | undefined;
  /** The version of Annex. */
  readonly version: string;
  /** Whether the application runs in development. */
  readonly dev: boolean;
  /** The application, to which a feature can attach its state. */
  readonly app: object;
}

/** The command line, which changes accounts without an application. */
export type AccountContext<Values = object> = Pick<
  FeatureContext<Values>,
  "options" | "allOptions" | "instance"
> & {
  readonly clock: AlarmClock;
  /** Where the change is made, for records. */
  readonly detail: string;
  database(): Promise<Database>;
  warn(message: string): void;
};

/** What a feature notes about changes to accounts. */
export interface AccountObserver {
  onAccess?(event: AccessEvent): void;
  onChange?(change: AccountChange): void;
  /** Writes pending data. */
  close(): Promise<void>;
}

/** A running feature. The steps are called in this order; start order is list order, and stop order is the reverse. */
export interface FeatureInstance {
  /** Registers its routes. Middleware of the application does not run for them. */
  mount?(router: RootRouter): void;
  /**
   * Loads stored state. The database is open and migrated; the port is not. Repeated if the connection to the database is
   * lost, so it must continue where it failed.
   */
  open?(): Promise<void>;
  /** Observes the routes of the application, or adds some. Runs before the application's serve hooks. */
  serve?(router: RootRouter): RootRouter;
  /** Runs when all routes are registered. `isListening`: whether a port will be opened. */
  ready?(isListening: boolean): void;
  /** Starts work in the background. The port is open. Repeated like `open`. */
  start?(): Promise<void> | void;
  /** Ends work in progress, which gets `graceMs` to finish. Terminate hooks run afterwards. */
  stop?(graceMs: number): Promise<void>;
  /** Writes pending data and releases everything, even after a failed start. */
  close?(): Promise<void> | void;
}

/** A part of Annex that can be left out: delete its line in `app/features.ts`. */
export interface Feature<
  Instance extends FeatureInstance = FeatureInstance,
  Sets extends readonly OptionSet[] = readonly OptionSet[],
> {
  readonly name: string;
  /** Path prefixes that routes of the application cannot use. */
  readonly reserves: readonly string[];
  readonly stores: readonly Store[];
  readonly conditions: readonly HealthCondition[];
  readonly options: Sets;
  /** Records what the command line does to accounts. */
  observeAccounts?(context: Omit<AccountContext, "options">): AccountObserver;
  create(context: SharedContext): Instance;
}

/** The context without the options of one feature. */
export type SharedContext = Omit<FeatureContext, "options">;

interface FeatureDefinition<Sets extends readonly OptionSet[], Instance extends FeatureInstance> {
  readonly name: string;
  readonly reserves?: readonly string[];
  /** All its tables and files. */
  readonly stores?: readonly Store[];
  /** When it reports issues of the health status. */
  readonly conditions?: readonly HealthCondition[];
  readonly options: Sets;
  observeAccounts?(context: AccountContext<ValuesOfAll<Sets>>): AccountObserver;
  /** Creates the feature without starting anything. Its result is also what the application uses of it. */
  create(context: FeatureContext<ValuesOfAll<Sets>>): Instance;
}

/**
 * Defines a feature.
 *
 * ```ts
 * export const notes = defineFeature({
 *   name: "notes",
 *   reserves: ["/api/notes"],
 *   stores: [noteStore],
 *   options: [notesOptions],
 *   create({ storage, options }) {
 *     const store = createNoteStore(storage.database, () => options.current.retentionDays);
 *     return { mount: (router) => mountNotes(router, store) };
 *   },
 * });
 * ```
 */
export function defineFeature<
  Instance extends FeatureInstance,
  const Sets extends readonly OptionSet[] = readonly [],
>(definition: FeatureDefinition<Sets, Instance>): Feature<Instance, Sets> {
  const { create, observeAccounts, ...declared } = definition;
  const { options } = declared;
  return {
    reserves: [],
    stores: [],
    conditions: [],
    ...declared,
    ...(observeAccounts && {
      observeAccounts: (context) =>
        observeAccounts({ ...context, options: context.allOptions.live(...options) }),
    }),
    create: (context) => create({ ...context, options: context.allOptions.live(...options) }),
  };
}
