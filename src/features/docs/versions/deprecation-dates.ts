import { type Database, readMigrations, type Store } from "../../../storage/index.ts";
import type { Version } from "./version.ts";

interface DocsTables {
  annex_docs_deprecations: {
    /** The label. */
    version: string;
    /** When the status of the version was first seen as deprecated, in milliseconds since the epoch. */
    since: number;
  };
}

export const docsMigrations = readMigrations("docs", new URL("../migrations/", import.meta.url));

export const docsStore: Store = {
  name: "docs",
  contents: [],
  tables: ["annex_docs_deprecations"],
  migrations: docsMigrations,
};

interface DeprecationDatesOptions {
  database(): Promise<Database>;
  readonly logger: { warn(message: string, data?: object): void };
}

/**
 * When versions were deprecated. The first instance that sees a version as deprecated stores the time, so that all
 * instances send the same date, after a restart as well.
 */
export class DeprecationDates {
  private readonly options: DeprecationDatesOptions;
  private stored: Map<string, Date> | undefined;
  private readonly pending = new Set<Promise<void>>();

  constructor(options: DeprecationDatesOptions) {
    this.options = options;
  }

  /** Reads the stored times, so that requests never wait for them. */
  async open(versions: readonly Version[]): Promise<void> {
    const rows = await (await this.tables()).selectFrom("annex_docs_deprecations").selectAll().execute();
    this.stored = new Map(rows.map(({ version, since }) => [version, new Date(since)]));
    for (const version of versions) this.note(version);
    await this.settle();
  }

  /** Sets when the version was deprecated, and stores it if it is not stored yet. */
  note(version: Version): void {
    if (!this.stored || version.config.status !== "deprecated" || version.config.deprecatedSince !== "")
      return;
    version.deprecatedAt = this.stored.get(version.label);
    if (version.deprecatedAt) return;
    const storing = this.store(version, version.statusSince).catch((error: unknown) => {
      this.options.logger.warn(
        `Failed to store the time when version ${version.label} was deprecated. The Deprecation header changes with a restart, unless deprecatedSince is set.`,
        { error },
      );
    });
    this.pending.add(storing);
    void storing.then(() => this.pending.delete(storing));
  }

  /** Waits for times that are being stored. */
  async settle(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Another instance may have stored an earlier time. */
  private async store(version: Version, since: Date): Promise<void> {
    const tables = await this.tables();
    const { label } = version;
    await tables
      .insertInto("annex_docs_deprecations")
      .values({ version: label, since: since.getTime() })
      .onConflict((conflict) => conflict.column("version").doNothing())
      .execute();
    const row = await tables
      .selectFrom("annex_docs_deprecations")
      .select("since")
      .where("version", "=", label)
      .executeTakeFirst();
    version.deprecatedAt = row && new Date(row.since);
    if (version.deprecatedAt) this.stored?.set(label, version.deprecatedAt);
  }

  private async tables() {
    return (await this.options.database()).tables<DocsTables>();
  }
}
