import { basename } from "node:path";
import { authStore } from "../auth/index.ts";
import type { Feature, HealthCondition, HealthIssue, Storage } from "../feature/index.ts";
import { capitalize } from "../lib/text/capitalize.ts";
import { systemClock } from "../lib/time/clock.ts";
import {
  type Database,
  type DatabaseFault,
  type DatabaseOptions,
  type DataDirLock,
  describeFault,
  fileOf,
  hasReserve,
  historyFile,
  isInMainFile,
  keepReserve,
  keepSmall,
  listContents,
  lockDataDir,
  mainFile,
  type OnUpgradeStep,
  openDatabase,
  readinessStore,
  recoverRestore,
  type Store,
  type UpgradeStep,
  waitForServer,
} from "../storage/index.ts";
import type { Config } from "./config/config.ts";
import { exitOnSignals, isSignalHandled } from "./signals.ts";

type Place = Pick<
  Config["server"],
  | "dataDir"
  | "database"
  | "databaseTimeoutMs"
  | "databasePoolSize"
  | "databaseConnectTimeoutMs"
  | "databaseIdleTimeoutMs"
  | "databaseWaitMs"
  | "migrations"
  | "signals"
>;

/** The client waits this much longer than the server, so that only an unresponsive server exceeds the timeout. */
const networkMs = 500;

/** Connection options of the application's database. Requests wait for these connections, so every wait has a limit. */
function databaseOptions(place: Place): DatabaseOptions {
  const { dataDir, database: url, databaseTimeoutMs } = place;
  return {
    dataDir,
    ...(url !== undefined && { url }),
    poolSize: place.databasePoolSize,
    connectTimeoutMs: place.databaseConnectTimeoutMs,
    idleTimeoutMs: place.databaseIdleTimeoutMs,
    statementTimeoutMs: databaseTimeoutMs,
    responseTimeoutMs: databaseTimeoutMs + networkMs,
  };
}

/** Opens the database and migrates its tables: those of all features, then the application's own. */
export async function openStore(
  place: Place,
  installed: readonly Feature[],
  onStep?: OnUpgradeStep,
): Promise<Database> {
  const database = await openDatabase(databaseOptions(place));
  const own = { feature: "application", migrations: place.migrations };
  const sets = listStores(installed)
    .filter(isInMainFile)
    .map(({ migrations }) => migrations);
  try {
    await database.migrate(Object.keys(own.migrations).length === 0 ? sets : [...sets, own], onStep);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** All data of Annex, in the order of its migrations. */
export function listStores(installed: readonly Feature[]): Store[] {
  return [readinessStore, authStore, ...installed.flatMap(({ stores }) => stores)];
}

const storageLink = { page: "config", params: { tab: "storage" } };

/** All conditions under which the health status is not `healthy`. */
export function listConditions(installed: readonly Feature[]): HealthCondition[] {
  const stores = listStores(installed).filter((store) => fileOf(store) === historyFile);
  const background: HealthCondition = {
    id: "background",
    condition: `${capitalize(listContents(stores))} cannot be stored`,
    degraded: "yes",
  };
  return [
    ...installed.flatMap(({ conditions }) => conditions),
    ...(stores.length > 0 ? [background] : []),
    ...storageConditions,
  ];
}

const storageConditions: readonly HealthCondition[] = [
  {
    id: "The file *",
    condition: "A [damaged file](operation.md#storage-failures) was moved aside",
    degraded: "yes",
  },
  { id: "database", condition: "The application's database cannot be written", failing: "yes" },
];

/** The databases of one application, opened on demand and closed together. */
export class Databases implements Storage {
  readonly dataDir: string;
  readonly stores: readonly Store[];
  readonly isShared: boolean;
  isUsedByApplication: boolean;
  private readonly place: Place;
  private readonly installed: readonly Feature[];
  private readonly warn: (message: string, data: object) => void;
  private opened: Promise<Database> | undefined;
  private lock: DataDirLock | undefined;
  private current: Database | undefined;
  private stopShrinking: () => Promise<void> = async () => {};
  private readonly damage: string[] = [];
  private readonly waiting = new AbortController();
  private isOnHost = false;
  private hadReserve = false;

  constructor(place: Place, installed: readonly Feature[], warn: (message: string, data: object) => void) {
    this.place = place;
    this.installed = installed;
    this.warn = warn;
    this.dataDir = place.dataDir;
    this.stores = listStores(installed);
    this.isShared = place.database !== undefined;
    this.isUsedByApplication = Object.keys(place.migrations).length > 0;
  }

  readonly database = (): Promise<Database> => {
    this.opened ??= this.open();
    return this.opened;
  };

  /** The same, for the application itself. */
  databaseOfApplication(): Promise<Database> {
    this.isUsedByApplication = true;
    return this.database();
  }

  /** Ends the wait for a server that cannot be reached. */
  readonly stopWaiting = (): void => this.waiting.abort();

  /** Leaves signals to an application that handles them: its server may be running already. */
  leaveSignals(): void {
    this.isOnHost = true;
  }

  /** Locks the data folder, so that no other process uses it. */
  readonly own = (): Promise<Database> => {
    if (!this.isShared && this.lock === undefined) {
      this.hadReserve = hasReserve(this.dataDir);
      this.lock = lockDataDir(this.dataDir);
      if (recoverRestore(this.dataDir))
        this.warn("Completed an interrupted restore", { data_dir: this.dataDir });
    }
    return this.database();
  };

  /** On PostgreSQL, a thread that works through a queue needs one connection. */
  fileOptions(file: string): DatabaseOptions {
    return { ...databaseOptions(this.place), file, durability: "normal", poolSize: 1 };
  }

  isUnavailable(): boolean {
    return this.fault?.reason === "unavailable";
  }

  reportSetAside(path: string): void {
    const name = basename(path);
    const file = name.slice(0, name.indexOf(".damaged-"));
    this.reportDamage(
      `The file ${file} was damaged. It was moved to ${name}, and a new file is in use.`,
      path,
    );
  }

  /**
   * An upgrade of a large table takes a while. It can be interrupted: nothing is changed until all steps are done. SQLite
   * blocks the event loop meanwhile, and a record of the log would be written only afterwards.
   */
  reportUpgrade(file: string, { migration, step, steps }: UpgradeStep): void {
    const what = this.isShared ? "the database" : file;
    process.stderr.write(`Upgrading ${what}: step ${step} of ${steps} (${migration})\n`);
  }

  reportDamage(sentence: string, detail: string): void {
    this.damage.push(sentence);
    this.warn(sentence, { detail });
  }

  /** Why the application's database currently cannot be written. */
  findFault(): HealthIssue[] {
    if (this.fault === undefined) return [];
    const message = `The database cannot be written. ${describeFault(this.fault.reason)}`;
    return [{ id: "database", status: "failing", message, link: storageLink }];
  }

  /** Damage found since startup. */
  findDamage(): HealthIssue[] {
    return this.damage.map((message) => ({ id: message, status: "degraded", message, link: storageLink }));
  }

  /** All writers must be closed first. */
  async close(): Promise<void> {
    const database = await this.opened?.catch(() => undefined);
    await this.stopShrinking();
    await database?.close();
    this.lock?.release();
  }

  /**
   * Runs a step of a start, and repeats it while the database server cannot be reached, up to `databaseWaitMs`. So a step
   * must be safe to repeat, even if it was complete and only a response was lost.
   */
  readonly untilReachable = async <T>(step: () => Promise<T>): Promise<T> => {
    if (!this.isShared) return step();
    const { databaseWaitMs: waitMs, signals } = this.place;
    let stopListening: (() => void) | undefined;
    try {
      return await waitForServer(step, {
        waitMs,
        signal: this.waiting.signal,
        onWait: ({ reason, waitedMs }) => {
          if (signals && !(this.isOnHost && isSignalHandled())) stopListening ??= exitOnSignals();
          this.warn(`Waiting for the database. ${reason}`, { waited_ms: waitedMs, wait_ms: waitMs });
        },
      });
    } finally {
      stopListening?.();
    }
  };

  private async open(): Promise<Database> {
    this.hadReserve ||= hasReserve(this.dataDir);
    this.current = await this.untilReachable(() =>
      openStore(this.place, this.installed, (step) => this.reportUpgrade(mainFile, step)),
    );
    this.reportFullDisk();
    const reserve = () => keepReserve(this.dataDir);
    if (!this.isShared) this.stopShrinking = keepSmall(this.current, systemClock, reserve);
    return this.current;
  }

  /** A start needs a little space. */
  private reportFullDisk(): void {
    if (!this.hadReserve || hasReserve(this.dataDir)) return;
    this.warn("The disk is full. The start used the space of annex.reserve: free some space soon", {
      data_dir: this.dataDir,
    });
  }

  private get fault(): DatabaseFault | undefined {
    return this.current?.problem;
  }
}
