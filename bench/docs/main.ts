/**
 * What documentation costs: starting with and without 500 documented routes, making the document, and responding to a
 * request for it. Each start is a process of its own, taken in turn:
 *
 *     npm run bench:docs
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DocumentBuilder } from "../../src/features/docs/versions/published.ts";
import { APIVersionManager } from "../../src/index.ts";

const count = 500;
const rounds = 9;

function createVersions(): APIVersionManager {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", { publicSwagger: true });
  versions.setVersionRouteRegistrar("v1", (router) => {
    for (let index = 0; index < count; index++) router.get(`/api/v1/things${index}/{id}`, () => {});
  });
  return versions;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const timed = (work: () => void) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const registering: number[] = [];
const making: number[] = [];
const serving: number[] = [];
for (let round = 0; round < rounds; round++) {
  const versions = createVersions();
  registering.push(timed(() => versions.registerAllVersionRoutesForDocs()));
  const builder = new DocumentBuilder({ now: Date.now });
  const ask = (host: string) => builder.publish(versions.find("v1")!, { host, scheme: "https" });
  making.push(timed(() => ask("first")));
  serving.push(timed(() => ask(`host${round}`)));
}

const start = (mode: string) =>
  Number(
    execFileSync(process.execPath, [fileURLToPath(import.meta.resolve("./start.ts")), mode, `${count}`]),
  );
const starts: Record<string, number[]> = { plain: [], documented: [] };
for (let round = 0; round < rounds; round++)
  for (const mode of Object.keys(starts)) starts[mode]!.push(start(mode));

console.log(`Node ${process.version}, ${count} routes, medians of ${rounds}`);
console.log(`registering them for the documentation  ${median(registering).toFixed(1)} ms`);
console.log(`making the document                     ${median(making).toFixed(1)} ms`);
console.log(`serving a request for it                ${median(serving).toFixed(2)} ms`);
const [plain, documented] = [median(starts.plain!), median(starts.documented!)];
console.log(`start to ready, without documentation   ${plain.toFixed(0)} ms`);
console.log(
  `start to ready, with it                 ${documented.toFixed(0)} ms (${(documented / plain).toFixed(2)}×)`,
);
