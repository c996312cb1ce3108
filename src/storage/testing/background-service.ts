/** A service for tests of the background thread. It stores notes and fails on request. */
import type { Served } from "../../lib/worker/serve-worker.ts";
import type { BackgroundContext, BackgroundService, MigrationSet } from "../index.ts";

interface Tables {
  echoes: { text: string };
}

export interface EchoCalls {
  store(text: string): void;
  read(): { data: string; texts: string[] };
  fail(text: string): void;
  exit(): void;
  /** Is never processed. */
  wait(): void;
  /** Blocks the thread forever. */
  block(): void;
  report(reason: string | undefined): void;
}

export interface EchoContract {
  readonly data: string;
  readonly calls: EchoCalls;
}

export const echoService = (data: string): BackgroundService<EchoContract> => ({
  module: new URL(import.meta.url),
  data,
});

export const migrations: MigrationSet = {
  feature: "echoes",
  migrations: {
    "001-echoes": {
      up: (db, types) => db.schema.createTable("echoes").addColumn("text", types.text).execute(),
    },
  },
};

export function serve({ database, data, report }: BackgroundContext<string>): Served<EchoCalls> {
  const tables = database.tables<Tables>();
  const store = async (text: string) => void (await tables.insertInto("echoes").values({ text }).execute());
  return {
    handlers: {
      store,
      async read() {
        const rows = await tables.selectFrom("echoes").select("text").execute();
        return { data, texts: rows.map((row) => row.text) };
      },
      fail(text) {
        throw new RangeError(`no ${text}`);
      },
      exit: () => process.exit(3),
      wait: () => new Promise(() => {}),
      block() {
        for (;;);
      },
      report,
    },
    close: () => (data === "never ends" ? new Promise(() => {}) : store("closed")),
  };
}
