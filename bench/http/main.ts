/**
 * What a request costs with Annex, beside a bare server and beside what others put together for the same. All subjects
 * serve the same route in one run, in short bursts taken in turn, so that the ratios hold where the numbers do not:
 *
 *     npm run bench -- --rounds 10 --only fastify,annex-full
 *     npm run bench -- --scenario file,compressed           # other routes, beside Fastify with a plugin
 *     npm run bench -- --scenario orders                    # a checked POST, beside Fastify with ajv
 *     npm run bench -- --scenario on-express,on-fastify     # Annex attached to an application, beside the bare one
 *     npm run bench -- --only fastify,fastify-twin          # the same program twice: the noise of this machine
 *     npm run bench -- --before ../main --only fastify,annex-quiet,annex-quiet-before   # two checkouts side by side
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { download, report, script } from "./content.ts";
import { order, orderResponse } from "./order.ts";
import { findCores } from "./peer.ts";
import { renderTable, summarise } from "./report.ts";
import { runRounds, type Scenario, type Settings, type Subject } from "./rounds.ts";

/** A route, and the servers that are compared on it. */
interface Comparison extends Scenario {
  baseline: string;
  subjects: readonly string[];
}

/** Applications that Annex can be attached to. */
const hosts = ["express", "fastify", "hono", "nest"] as const;
type Host = (typeof hosts)[number];

const all = [
  "node",
  "fastify",
  "annex-quiet",
  "annex-full",
  "fastify-pino",
  "fastify-prom-pino",
  "nest-pino",
  "express-swagger-stats",
];
/** A plugin of Fastify, beside the same from Annex. */
const beside = (baseline: string) => ({ baseline, subjects: [baseline, "annex-quiet", "annex-full"] });
/** Annex attached to an application, beside the same application without it. */
const attached = (host: Host, ...others: string[]) => ({
  path: "/hello",
  body: '{"hello":"world"}',
  baseline: host,
  subjects: [host, `${host}-attached`, ...others],
});
const scenarios: Record<string, Comparison> = {
  hello: { path: "/hello", body: '{"hello":"world"}', baseline: "fastify", subjects: all },
  users: { path: "/users/42", body: '{"id":"42"}', baseline: "fastify", subjects: all },
  file: { path: "/files/script.js", body: script, ...beside("fastify-static") },
  download: { path: "/files/download.txt", body: download, ...beside("fastify-static") },
  limited: { path: "/limited", body: '{"hello":"world"}', ...beside("fastify-rate-limit") },
  compressed: {
    path: "/report",
    headers: { "Accept-Encoding": "gzip" },
    body: JSON.stringify(report),
    ...beside("fastify-compress"),
  },
  orders: {
    path: "/orders",
    body: JSON.stringify(orderResponse),
    send: JSON.stringify(order),
    baseline: "fastify-ajv",
    subjects: ["fastify-ajv", "annex-unchecked", "annex-checked"],
  },
  "on-express": attached("express", "express-swagger-stats"),
  "on-fastify": attached("fastify", "annex-quiet", "fastify-pino"),
  "on-hono": attached("hono"),
  "on-nest": attached("nest", "nest-pino"),
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "40" },
    restarts: { type: "string", default: "2" },
    warmup: { type: "string", default: "6" },
    seconds: { type: "string", default: "0.5" },
    requests: { type: "string", default: "100000" },
    connections: { type: "string", default: "64" },
    scenario: { type: "string" },
    only: { type: "string" },
    before: { type: "string" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/http.json")) },
  },
});

const settings = {
  rounds: parseCount("rounds"),
  restarts: parseCount("restarts"),
  warmup: parseCount("warmup"),
  seconds: parseCount("seconds"),
  requests: parseCount("requests"),
  connections: parseCount("connections"),
};
const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(`${machine}${findCores() ? ", server and load each on a core of its own" : ""}`);

const results = [];
for (const name of chosenScenarios()) results.push(await compare(name));
console.log("Medians, and the middle half of the bursts in brackets; a ratio above 1 beats the baseline.");

mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), settings, results }, null, 2)}\n`);

async function compare(name: string) {
  const comparison = scenarios[name];
  if (!comparison) throw new Error(`--scenario ${name}: choose from ${Object.keys(scenarios).join()}`);
  const { baseline, subjects, ...scenario } = comparison;
  const names = values.only?.split(",") ?? [...subjects];
  if (!names.includes(baseline))
    throw new Error(`--only ${values.only}: the baseline, ${baseline}, is missing`);

  const { rounds, seconds, connections } = settings;
  const method = scenario.send === undefined ? "GET" : "POST";
  console.log(`\n${method} ${scenario.path}, ${connections} connections, ${rounds} rounds of ${seconds} s`);
  const bursts = await runRounds(
    names.map((each) => findSubject(each, subjects)),
    scenario,
    settings,
  );
  const summaries = summarise(bursts, baseline).sort(
    (a, b) => names.indexOf(a.subject) - names.indexOf(b.subject),
  );
  console.log(`\n${renderTable(summaries, baseline)}\n`);
  const share = summaries.find(({ subject }) => subject === baseline)!.coreShare.median;
  if (share < 0.9) {
    console.log(
      `Something else was running: ${baseline} had its core for ${Math.round(share * 100)} % of its bursts.`,
    );
  }
  if (summaries.some(({ generatorLoad }) => generatorLoad.median > 0.95)) {
    console.log("The load generator was the limit of requests/s; CPU per request holds all the same.");
  }
  return { scenario: name, path: scenario.path, baseline, summaries, bursts };
}

/** `--only` names the servers of one scenario. */
function chosenScenarios(): string[] {
  if (values.scenario !== undefined) return values.scenario.split(",");
  return values.only === undefined ? ["hello", "orders", "file", "compressed", "limited"] : ["hello"];
}

/** `fastify-twin` is the file of `fastify` in a second process, and `fastify-before` the file of another checkout. */
function findSubject(name: string, subjects: readonly string[]): Subject {
  const original = name.replace(/-(twin|before)$/, "");
  if (!subjects.includes(original)) throw new Error(`--only ${name}: choose from ${subjects.join(", ")}`);
  const folder = name.endsWith("-before") ? otherCheckout() : import.meta.dirname;
  const host = hosts.find((each) => original === each || original === `${each}-attached`);
  const path = host === undefined ? `subjects/${original}.ts` : `subjects/hosts/${host}.ts`;
  return {
    name,
    file: pathToFileURL(join(folder, path)).href,
    args: original === `${host}-attached` ? ["attached"] : [],
  };
}

function otherCheckout(): string {
  if (values.before === undefined) throw new Error("--before is missing: the folder of another checkout");
  return join(values.before, "bench/http");
}

function parseCount(option: keyof Settings): number {
  const count = Number(values[option]);
  if (!(count > 0)) throw new Error(`--${option} ${values[option]}: a number above zero is needed`);
  return count;
}
