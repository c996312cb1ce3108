/**
 * Runs a fleet of real processes through kills, suspensions and outages, and checks that nothing was lost or done twice:
 *
 *     npm run chaos -- --minutes 6 --instances 5 --jobs 110 --seed 7
 *
 * It starts its own PostgreSQL. The report is written to the standard output, as Markdown. The exit code is 1 if a check
 * fails.
 */
import { parseArgs } from "node:util";
import type { Cleanup } from "../../src/lib/testing/share.ts";
import { checkAll } from "./checks/index.ts";
import { runCounters } from "./counters/counter-run.ts";
import { writeCounterReport } from "./counters/report.ts";
import { runFleet } from "./fleet-run.ts";
import { runLimits } from "./limits/limit-run.ts";
import { table } from "./markdown.ts";
import { blockSeconds, createPlan, describeFault } from "./plan.ts";
import { writeFleetReport } from "./report.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "6" },
    instances: { type: "string", default: "5" },
    jobs: { type: "string", default: "110" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
  },
});
const numbers = [values.minutes, values.instances, values.jobs, values.seed].map(Number);
const [minutes, instances, jobs, seed] = numbers as [number, number, number, number];
const isValid = Number.isFinite(minutes) && [instances, jobs, seed].every(Number.isInteger);
if (
  !isValid ||
  minutes < 3 ||
  instances < 2 ||
  jobs < 20 ||
  ![undefined, "fleet", "counters", "limits"].includes(values.only)
) {
  process.stderr.write(
    "Usage: npm run chaos -- [--minutes N] [--instances N] [--jobs N] [--seed N] [--only fleet|counters|limits]\n" +
      "At least 3 minutes, 2 instances and 20 jobs.\n",
  );
  process.exit(64);
}

const ends: (() => unknown)[] = [];
const cleanup: Cleanup = { after: (end) => void ends.push(end) };
const log = (line: string) => void process.stderr.write(`${line}\n`);

async function testFleet(): Promise<boolean> {
  const plan = createPlan({ seed, instances, seconds: minutes * 60 });
  log(`Seed ${seed}. The plan:`);
  for (const fault of plan) log(`  ${fault.at.toFixed(1).padStart(6)} s  ${describeFault(fault)}`);
  const blockMs = blockSeconds * 1_000;
  const evidence = await runFleet(cleanup, { instances, jobs, plan, seconds: minutes * 60, blockMs, log });
  const checks = checkAll(evidence);
  process.stdout.write(`## Fleet, seed ${seed}\n\n${writeFleetReport(evidence, checks, plan)}\n`);
  return checks.every(({ violations }) => violations.length === 0);
}

/** There is no limit for the loss: the report shows it. A count above the number of responses is a defect. */
async function testCounters(): Promise<boolean> {
  const perSecond = 100;
  const results = [];
  for (const engine of ["sqlite", "postgres"] as const) {
    const rounds = await runCounters(cleanup, { engine, kills: 20, perSecond, seed, log });
    results.push({ engine, rounds });
  }
  process.stdout.write(`## Counters, seed ${seed}\n\n${writeCounterReport(results, perSecond)}\n`);
  return results.every(({ rounds }) => rounds.every(({ lost }) => lost >= 0));
}

/** Five minutes on each engine: each limit is lowered and raised again every 30 seconds. */
async function testLimits(): Promise<boolean> {
  const rows: string[][] = [];
  for (const engine of ["sqlite", "postgres"] as const) {
    const run = {
      engine,
      rounds: 10,
      everyMs: 15_000,
      perSecond: 200,
      oldRecords: 400_000,
      oldDays: 1,
      logMegabytes: 12,
      log,
    };
    const { acknowledged, lost, replacedThreads, unready, readinessChecks } = await runLimits(cleanup, run);
    for (const line of [...replacedThreads, ...unready].slice(0, 20)) log(line);
    const counts = [acknowledged, lost.length, replacedThreads.length, readinessChecks, unready.length];
    rows.push([engine, ...counts.map(String)]);
  }
  const head = ["Database", "Responses", "Lost records", "Replaced threads", "Readiness checks", "Not ready"];
  process.stdout.write(`## Limits\n\n${table(head, rows)}\n`);
  return rows.every(([, , lost, replaced, , unready]) =>
    [lost, replaced, unready].every((count) => count === "0"),
  );
}

try {
  const results: boolean[] = [];
  const isWanted = (name: string) => values.only === undefined || values.only === name;
  if (isWanted("fleet")) results.push(await testFleet());
  if (isWanted("counters")) results.push(await testCounters());
  if (isWanted("limits")) results.push(await testLimits());
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
