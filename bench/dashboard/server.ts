/**
 * The example with a month of history behind it, in a process of its own: what it costs is asked over the channel to
 * its parent, so that asking is no request.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createTodosApp } from "../../examples/todos/app.ts";
import { metricMigrations } from "../../src/features/metrics/history/tables.ts";
import { openDatabase } from "../../src/storage/index.ts";
import { writeMonth } from "./month.ts";

const [dataDir = "", days = "30", routes = "200"] = process.argv.slice(2);
export const account = { email: "ada@example.com", password: "correct horse battery staple" };

const database = await openDatabase({ dataDir, file: "metrics.db", durability: "normal" });
await database.migrate([metricMigrations]);
const now = Math.floor(Date.now() / 60_000) * 60;
await writeMonth(database, { now, days: Number(days), routes: Number(routes) });
await database.close();

const app = createTodosApp({ port: 0, dataDir, log: { destination: `${dataDir}/log` }, logLevel: "info" });
const { url } = await app.start();
await app.superusers.create(account.email, account.password);
// As after an hour: the minutes have been put together to hours and days.
const { id } = await app.jobs.run("__svcMetricsRollup__");
while ((await app.jobs.findRun(id)).status === "running") await delay(200);

process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
process.on("disconnect", () => void app.stop());
process.send?.({ url });
