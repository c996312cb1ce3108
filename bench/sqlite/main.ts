/**
 * What writing to SQLite costs a server: writes per second of 50 connections, a page without a database alone and beside
 * five writers, and single reads and writes. Everything is written at full durability, on a disk:
 *
 *     npm run bench:sqlite
 *     npm run bench:sqlite -- --before ../main       # the same with another checkout, in turns
 *
 * The disk decides most of it, so compare the columns of one run. A round takes about 20 seconds for each checkout.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Figures, measureRound } from "./round.ts";
import { startSubject } from "./subject-process.ts";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/sqlite.json")) },
  },
});
const own = join(import.meta.dirname, "../..");
const checkouts = { ...(values.before !== undefined && { before: resolve(values.before) }), now: own };
const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(machine);

const rounds: Record<string, Figures[]> = {};
for (let round = 1; round <= Number(values.rounds); round++)
  for (const [label, folder] of Object.entries(checkouts)) {
    await using subject = await startSubject(folder);
    const figures = await measureRound(subject, Number(values.seconds));
    rounds[label] = [...(rounds[label] ?? []), figures];
    console.error(`round ${round}, ${label}: ${figures["writes per second"].toFixed(0)} writes per second`);
  }
const medians = Object.fromEntries(Object.entries(rounds).map(([label, all]) => [label, mediansOf(all)]));
console.log(`\nMedians of ${values.rounds} rounds:\n\n${renderTable(medians)}`);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(
  values.json,
  `${JSON.stringify({ machine, at: new Date(), values, medians, rounds }, null, 2)}\n`,
);

function mediansOf(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0]!) as (keyof Figures)[];
  const medianOf = (name: keyof Figures) => {
    const sorted = all.map((figures) => figures[name]).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)]!;
  };
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as Record<keyof Figures, number>;
}

function renderTable(medians: Record<string, Figures>): string {
  const labels = Object.keys(medians);
  const names = Object.keys(medians.now!) as (keyof Figures)[];
  const rows = names.map((name) => [name, ...labels.map((label) => renderValue(medians[label]![name]))]);
  const lines = [["", ...labels], ["", ...labels].map(() => "---"), ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function renderValue(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
