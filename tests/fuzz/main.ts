/**
 * Runs the fuzzer for longer than the test suite does:
 *
 *     npm run fuzz -- --requests 100000 --seed 7
 *     npm run fuzz -- --program express
 */
import { parseArgs } from "node:util";
import { fuzz, programs } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    minutes: { type: "string", default: "60" },
    program: { type: "string", default: "example" },
  },
});
const [requests, seed, minutes] = [values.requests, values.seed, values.minutes].map((text) => Number(text));
const program = programs.find((each) => each === values.program);
if (
  program === undefined ||
  !Number.isInteger(requests) ||
  !Number.isInteger(seed) ||
  !Number.isFinite(minutes)
) {
  process.stderr.write("Usage: npm run fuzz -- [--requests N] [--seed N] [--minutes N] [--program NAME]\n");
  process.exit(64);
}
const startedAt = performance.now();
const report = await fuzz({
  requests: requests!,
  seed: seed!,
  program,
  deadlineMs: minutes! * 60_000,
  onProgress(done) {
    if (done % 10_000 === 0) process.stderr.write(`${done} requests\n`);
  },
});
const { problems, ...counts } = report;
process.stdout.write(
  `${JSON.stringify({ seed, program, seconds: Math.round((performance.now() - startedAt) / 1000), ...counts }, null, 2)}\n`,
);
for (const problem of problems.slice(0, 20)) process.stdout.write(`\n${problem}\n`);
process.stdout.write(`${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
