import zlib from "node:zlib";
import type { Database } from "../../../storage/index.ts";
import type { RecentRequest } from "../requests/recent-requests.ts";
import type { FleetTables } from "./tables.ts";

export interface RecentPagesOptions {
  readonly instance: string;
  readonly epoch: string;
}

type PageRow = FleetTables["annex_recent_requests"];

/** They have the addresses of clients, so the database does not keep them for long. */
export const keptRecentMs = 3_600_000;

const pageCount = 10;
const requestsPerPage = 100;

/**
 * The recent requests of this instance, for the others. They are stored in a fixed number of rows, which are
 * overwritten in turn, so that nothing has to be deleted.
 */
export class RecentPages {
  private readonly options: RecentPagesOptions;
  private readonly pages: RecentRequest[][] = [];
  private readonly changed = new Set<number>();
  private count = 0;
  private writes = 0;

  constructor(options: RecentPagesOptions) {
    this.options = options;
  }

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  add(requests: readonly RecentRequest[]): void {
    for (const request of requests) {
      const page = Math.floor(this.count / requestsPerPage) % pageCount;
      if (this.count % requestsPerPage === 0) this.pages[page] = [];
      this.pages[page]!.push(request);
      this.changed.add(page);
      this.count++;
    }
  }

  /** Writes the changed pages in one statement. Pages that fail to be written are written with the next ones. */
  async write(database: Database): Promise<void> {
    const changed = [...this.changed];
    if (changed.length === 0) return;
    this.changed.clear();
    try {
      await writePages(
        database,
        changed.map((page) => this.toRow(page)),
      );
    } catch (error) {
      for (const page of changed) this.changed.add(page);
      throw error;
    }
  }

  private toRow(page: number): PageRow {
    const { instance, epoch } = this.options;
    const requests = this.pages[page]!;
    const time = requests.at(-1)!.time;
    const kept = requests.filter((request) => request.time > time - keptRecentMs);
    const body = zlib.zstdCompressSync(Buffer.from(JSON.stringify(kept)));
    return { instance, page, epoch, version: `${epoch}-${++this.writes}`, time, body };
  }
}

async function writePages(database: Database, rows: PageRow[]): Promise<void> {
  await database
    .tables<FleetTables>()
    .insertInto("annex_recent_requests")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["instance", "page"]).doUpdateSet(({ ref }) => ({
        epoch: ref("excluded.epoch"),
        version: ref("excluded.version"),
        time: ref("excluded.time"),
        body: ref("excluded.body"),
      })),
    )
    .execute();
}

export function readPage(body: Uint8Array): RecentRequest[] {
  return JSON.parse(zlib.zstdDecompressSync(body).toString());
}
