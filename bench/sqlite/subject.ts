/** The server that is measured, from the checkout in the first argument. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Migration } from "../../src/index.ts";
import type { Cpu, Single } from "./subject-process.ts";

interface Tables {
  things: { id?: number; text: string };
}

process.once("disconnect", () => process.exit());
const folder = mkdtempSync(join(tmpdir(), "annex-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const { createApp } = (await import(
  pathToFileURL(join(process.argv[2]!, "src/index.ts")).href
)) as typeof import("../../src/index.ts");
const createThings: Migration = {
  up: (db, types) =>
    db.schema
      .createTable("things")
      .addColumn("id", types.serial, (column) => column.primaryKey())
      .addColumn("text", types.text)
      .execute(),
};
const app = createApp({
  port: 0,
  dataDir: join(folder, "data"),
  dev: false,
  logLevel: "info",
  log: { destination: join(folder, "annex.log") },
  migrations: { "001-things": createThings },
});
await app.superusers.create("bench@example.com", "correct horse battery staple");
const database = await app.database();
const tables = database.tables<Tables>();
const text =
  "A text of a row, as long as most are: about a hundred bytes, of which nobody ever reads any again.";

const write = () => tables.insertInto("things").values({ text }).executeTakeFirstOrThrow();
const read = () => tables.selectFrom("things").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
const transaction = () =>
  database.transaction<Tables, void>(async (trx) => {
    const { id } = await trx.insertInto("things").values({ text }).returning("id").executeTakeFirstOrThrow();
    await trx.updateTable("things").set({ text: "changed" }).where("id", "=", id!).execute();
  });

app.onServe(({ router }) => {
  router.get("/hello", (e) => e.json(200, { hello: "world" }));
  router.get("/write", async (e) => {
    await write();
    return e.json(200, { ok: true });
  });
  router.get("/transaction", async (e) => {
    await transaction();
    return e.json(200, { ok: true });
  });
});
const { port } = await app.start();

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((one, other) => one - other)[Math.floor(count / 2)]!;
}

async function measureSingle(): Promise<Single> {
  const writes = 100;
  await medianOf(10, write);
  const before = cpuMs();
  const writeMs = await medianOf(writes, write);
  const writeCpuMs = (cpuMs() - before) / writes;
  await medianOf(500, read);
  return { readMs: await medianOf(2_000, read), writeMs, writeCpuMs };
}

process.on("message", async (question: { single?: true; cpu?: true }) => {
  const answer: Single | Cpu = question.single ? await measureSingle() : { cpuMs: cpuMs() };
  process.send?.(answer);
});
process.send?.({ port });
