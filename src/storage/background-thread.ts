import { systemClock } from "../lib/time/clock.ts";
import type { WorkerContract } from "../lib/worker/contract.ts";
import { type Served, serveServices } from "../lib/worker/serve-worker.ts";
import type { Database, DatabaseOptions } from "./database.ts";
import { markDamaged, openDisposable } from "./disposable.ts";
import { keepSmall } from "./keep-small.ts";
import type { MigrationSet, UpgradeStep } from "./migrator.ts";

/** The calls of a service in the background thread, and the data it starts with. */
export interface BackgroundContract {
  readonly data: unknown;
  readonly calls: object;
}

/** Context of a service in the background thread. */
export interface BackgroundContext<Data = unknown> {
  readonly database: Database;
  readonly data: Data;
  /** Reports why work is failing; `undefined` reports recovery. */
  report(reason: string | undefined): void;
}

/** Exports of a module for the background thread. */
export interface BackgroundModule<Contract extends BackgroundContract> {
  readonly migrations: MigrationSet;
  serve(
    context: BackgroundContext<Contract["data"]>,
  ): Served<Contract["calls"]> | Promise<Served<Contract["calls"]>>;
}

/** The contract of the thread: the calls of all services, by name. */
export interface BackgroundWorker<Services extends Record<string, BackgroundContract>>
  extends WorkerContract {
  readonly data: {
    readonly database: DatabaseOptions;
    readonly services: readonly { name: string; module: string; data: unknown }[];
  };
  readonly calls: { [Name in keyof Services]: Services[Name]["calls"] };
  readonly ownerCalls: {
    /** A damaged database file was moved. */
    setAside(path: string): void;
    /** A step of an upgrade of the database begins. */
    upgrade(step: UpgradeStep): void;
  };
}

serveServices<BackgroundWorker<Record<string, BackgroundContract>>>(async ({ data, owner, report }) => {
  const modules = await Promise.all(
    data.services.map(async ({ module }): Promise<BackgroundModule<BackgroundContract>> => import(module)),
  );
  // Several services can use the same module.
  const sets = [...new Set(modules)].map(({ migrations }) => migrations);
  const { database, setAside } = await openDisposable(data.database, sets, {
    onStep: (step) => owner.post("upgrade", [step]),
  });
  if (setAside !== undefined) owner.post("setAside", [setAside]);

  /** Ends the thread. The next one moves the file aside. */
  function endIfDamaged(): void {
    if (database.problem?.reason !== "damaged" || data.database.url !== undefined) return;
    setImmediate(() => {
      markDamaged(data.database);
      throw new Error(`The file ${data.database.file} is damaged.`);
    });
  }

  const services = new Map<string, Served<object>>();
  for (const [index, { name, data: given }] of data.services.entries()) {
    const reportProblem = (reason: string | undefined) => {
      report(name, reason);
      endIfDamaged();
    };
    services.set(name, await modules[index]!.serve({ database, data: given, report: reportProblem }));
  }
  const stopShrinking = keepSmall(database, systemClock);
  async function close(): Promise<void> {
    await stopShrinking();
    await database.close();
  }

  return { services, close, onError: endIfDamaged };
});
