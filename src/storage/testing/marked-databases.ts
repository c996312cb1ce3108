import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";

/** The databases of a data folder. */
export const databaseFiles = ["annex.db", "logs.db", "metrics.db"];

/** Creates databases that contain `mark`, as a killed server leaves them: the rows are in the write-ahead logs. */
export function createMarked(dataDir: string, mark: string, files = databaseFiles): void {
  for (const file of files) {
    const path = join(dataDir, file);
    const database = new BetterSqlite3(path);
    database.pragma("journal_mode = wal");
    database.exec("create table if not exists state (mark text, filler blob)");
    database.pragma("wal_checkpoint(truncate)");
    // A reader prevents the writer from moving the rows to the database when it closes.
    const reader = new BetterSqlite3(path, { readonly: true });
    reader.exec("begin");
    reader.prepare("select * from state").all();
    database.exec("begin; delete from state");
    const insert = database.prepare("insert into state values (?, randomblob(1000))");
    for (let row = 0; row < 50; row++) insert.run(mark);
    database.exec("commit");
    database.close();
    reader.close();
  }
}

/** Reads the mark of a database. All rows must have the same. */
export function readMark(path: string): string {
  const database = new BetterSqlite3(path, { fileMustExist: true });
  try {
    const damage = database.pragma("integrity_check", { simple: true });
    if (damage !== "ok") throw new Error(`${path}: ${damage}`);
    const rows = database.prepare("select mark, count(*) as count from state group by mark").all();
    const [{ mark, count }] = rows as [{ mark: string; count: number }];
    if (rows.length !== 1 || count !== 50) throw new Error(`${path}: ${JSON.stringify(rows)}`);
    return mark;
  } finally {
    database.close();
  }
}

/** Reads the marks of all databases of a folder. */
export function readMarks(dataDir: string, files = databaseFiles): string[] {
  return files.map((file) => readMark(join(dataDir, file)));
}
