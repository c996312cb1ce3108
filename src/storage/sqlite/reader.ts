import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, SqliteDialect } from "kysely";
import { startWorker, type WorkerClient } from "../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../lib/worker/threads.ts";
import type { UntypedTables } from "../engine.ts";
import { HISTORY_UNAVAILABLE } from "../history-unavailable.ts";
import type { ReaderThread } from "./reader-thread.ts";

/** Reads a file in a thread, so that long queries do not block the event loop. */
export interface Reader {
  readonly query: Kysely<UntypedTables>;
  close(): Promise<void>;
}

/** SQLite does not respond while it reads. A thread that does so for longer is ended; nothing else depends on it. */
const deadlines = { startMs: 60_000, callMs: 30_000, hangMs: 60_000, closeMs: 1_000 };
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/** The thread starts with the first query. */
export function createReader(data: ReaderThread["data"]): Reader {
  const thread = startWorker<ReaderThread>({
    entry: moduleBeside(import.meta.url, "reader-thread"),
    name: "annex-reader",
    data,
    handlers: {},
    resourceLimits,
    isLazy: true,
    restartMs: 1_000,
    deadlines,
  });
  return { query: new Kysely({ dialect: new ThreadDialect(thread.call) }), close: () => thread.close() };
}

type Call = WorkerClient<ReaderThread["calls"]>["call"];

class ThreadDialect extends SqliteDialect {
  readonly #call: Call;

  constructor(call: Call) {
    super({ database: () => Promise.reject(readsOnly()) });
    this.#call = call;
  }

  override createDriver(): Driver {
    const connection: DatabaseConnection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
        const rows = await this.#call("all", sql, parameters).catch((cause: unknown) => {
          throw HISTORY_UNAVAILABLE.with({ cause });
        });
        return { rows: rows as Row[] };
      },
      // biome-ignore lint/correctness/useYield: there is nothing to yield.
      async *streamQuery() {
        throw readsOnly();
      },
    };
    const refuse = () => Promise.reject(readsOnly());
    return {
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    };
  }
}

const readsOnly = () => new Error("The thread only runs single queries that read.");
