/** Code that tests run in separate processes: `node program.ts <part> <options as JSON>`. */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { type DatabaseOptions, lockDataDir, openDatabase } from "../index.ts";
import { type NoteTables, notes } from "./notes.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
/** Synchronous, so that the output is complete even if the process is killed right afterwards. */
const say = (line: string | number) => writeSync(1, `${line}\n`);

const parts: Record<string, (options: DatabaseOptions) => Promise<void>> = {
  async migrate(options) {
    const database = await openDatabase(options);
    say("ready");
    await lines.next();
    await database.migrate([notes]);
    await database.close();
  },

  async insertForever(options) {
    const database = await openDatabase(options);
    await database.migrate([notes]);
    for (let id = 1000; ; id++) {
      await database.transaction<NoteTables, void>(async (trx) => {
        await trx.insertInto("notes").values({ id, count: 1 }).execute();
        await trx.insertInto("notes").values({ id: -id, count: 1 }).execute();
      });
      say(id);
    }
  },

  async countTo100(options) {
    const database = await openDatabase(options);
    say("ready");
    await lines.next();
    for (let i = 0; i < 100; i++)
      await database.transaction<NoteTables, void>(async (trx) => {
        const { count } = await trx
          .selectFrom("notes")
          .select("count")
          .where("id", "=", 1)
          .executeTakeFirstOrThrow();
        await trx
          .updateTable("notes")
          .set({ count: count! + 1 })
          .where("id", "=", 1)
          .execute();
      });
    await database.close();
  },

  async lock({ dataDir }) {
    say("ready");
    await lines.next();
    try {
      const lock = lockDataDir(dataDir);
      say("held");
      await lines.next();
      lock.release();
      say("released");
      await lines.next();
    } catch (error) {
      say((error as Error).message);
    }
  },
};

await parts[process.argv[2]!]!(JSON.parse(process.argv[3]!));
process.stdin.destroy();
