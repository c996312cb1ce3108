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
  ![undefined, "fleet", "counters"].includes(values.only)
) {
  process.stderr.write(
    "Usage: npm run chaos -- [--minutes N] [--instances N] [--jobs N] [--seed N] [--only fleet|counters]\n" +
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

try {
  const results: boolean[] = [];
  if (values.only !== "counters") results.push(await testFleet());
  if (values.only !== "fleet") results.push(await testCounters());
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
