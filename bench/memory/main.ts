/**
 * What a million strangers leave behind: requests whose paths, agents and addresses are all different, half of them
 * for pages and half for nothing. Each subject's memory is read after the collector has run, once it is warm and again
 * at the end; the bare server beside them shows how much of it is Node's own.
 *
 *     npm run bench:memory -- --requests 1000000 --only fastify,annex
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sendStrangers } from "./strangers.ts";
import { startSubject } from "./subject-process.ts";

const subjects = ["fastify", "annex", "express-swagger-stats"];
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    warmup: { type: "string", default: "500000" },
    only: { type: "string", default: subjects.join() },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/memory.json")) },
  },
});
const requests = Number(values.requests);
const warmup = Number(values.warmup);

console.log(`Node ${process.version}, ${requests.toLocaleString("en")} distinct paths, agents and addresses`);
const results: Record<string, Record<string, number>> = {};
for (const name of values.only.split(",")) {
  if (!subjects.includes(name)) throw new Error(`--only ${name}: choose from ${subjects.join()}`);
  await using subject = await startSubject(import.meta.resolve(`./subjects/${name}.ts`));
  // The same few strangers again and again: code is compiled, pools are filled, nothing else grows.
  await sendStrangers({ port: subject.port, count: warmup, distinct: 100 });
  const before = await subject.memory();
  const begun = performance.now();
  await sendStrangers({ port: subject.port, count: requests, distinct: requests });
  const seconds = (performance.now() - begun) / 1_000;
  const after = await subject.memory();
  const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
  results[name] = {
    "MB before": megabytes(before.rss),
    "MB after": megabytes(after.rss),
    "MB added": megabytes(after.rss - before.rss),
    "of it on the heap": megabytes(after.heapUsed - before.heapUsed),
    "requests/s": Math.round(requests / seconds),
  };
  console.log(`${name}: ${results[name]["MB added"]} MB added`);
}
console.table(results);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ node: process.version, requests, results }, null, 2)}\n`);
