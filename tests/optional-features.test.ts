import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { features } from "../src/app/features.ts";
import type { Feature } from "../src/feature/index.ts";
import { nameOf } from "../src/lib/options/option-set.ts";
import { createFolder } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");

/**
 * Features that the interface of the application or shared parts of the client use. Every other feature can be removed:
 * its line in `app/features.ts`, its folder, its page with the line in `pages/index.ts`, its tests and documentation.
 */
const required = ["logging", "settings", "metrics", "cron", "docs", "dashboard"];
const optional = features.filter(({ name }) => !required.includes(name));

/** Names that are no English words, so that they must not occur in any form. `visitorKeys` belongs to the parser. */
const words: Readonly<Record<string, string>> = {
  visitors: "visitor(?!Keys)",
  "rate-limits": "rate-limits|rateLimits",
};

/** The files that list features. The options and their documentation are written by a script. */
const lists = ["src/app/features.ts", "web/src/pages/index.ts"];

const isOwn = (feature: string, file: string) =>
  file.startsWith(`src/features/${feature}/`) || file.startsWith(`web/src/pages/${feature}/`);

function listSources(folder: string): string[] {
  const files = globSync(
    ["src/**/*.*", "web/src/**/*.*", "scripts/update-options.ts", "docs/configuration.md"],
    {
      cwd: folder,
    },
  );
  return files.filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
}

/** Everything by which others could refer to a feature: its tables, options, paths, jobs and errors. */
function namesOf(feature: Feature): string[] {
  const { name, options, reserves, stores } = feature;
  const own = listSources(root).filter((file) => isOwn(name, file));
  const code = own.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  return [
    `features/${name}/`,
    `pages/${name}/`,
    `/_/_/data/${name}`,
    ...reserves,
    ...stores.flatMap(({ tables }) => tables.map((table) => table.replace("*", ""))),
    ...options.flatMap((set) =>
      Object.entries(set.options).flatMap(([key, { env }]) => [nameOf(set, key), ...env]),
    ),
    ...(code.match(/__svc\w+__/g) ?? []),
    ...[...code.matchAll(/defineError\(\s*"(\w+)"/g)].map(([, error]) => error!),
  ];
}

/** The lines outside of a feature that contain its names. */
function findMentions(folder: string, feature: Feature): string[] {
  const { [feature.name]: word } = words;
  const names = namesOf(feature).map((name) => name.replaceAll(/[.*?+/]/g, "\\$&"));
  const pattern = new RegExp([...names, ...(word === undefined ? [] : [word])].join("|"), "i");
  return listSources(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

function copyTree(t: TestContext): string {
  const folder = createFolder(t);
  for (const file of [
    ...listSources(root),
    "docs/metrics.md",
    "tsconfig.json",
    "web/tsconfig.json",
    "package.json",
  ])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const linked of ["node_modules", "web/dist"]) symlinkSync(join(root, linked), join(folder, linked));
  return folder;
}

/** Removes a feature as a developer would. */
function remove(folder: string, { name }: Feature): void {
  rmSync(join(folder, `src/features/${name}`), { recursive: true });
  rmSync(join(folder, `web/src/pages/${name}`), { recursive: true, force: true });
  for (const list of lists) {
    const text = readFileSync(join(folder, list), "utf8");
    const [line, imported] =
      new RegExp(`import \\{ (\\w+) \\} from "[./\\w]*/?${name}/index.ts";\n`).exec(text) ?? [];
    if (line === undefined) continue;
    const left = text.replace(line, "").replace(new RegExp(`\\b${imported}\\b,?\\s*`), "");
    writeFileSync(join(folder, list), left);
  }
  run(folder, "scripts/update-options.ts");
}

function run(folder: string, ...args: string[]): string {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, GOGC: "400" };
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", env, timeout: 300_000 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    assert.fail(`${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
}

function checkTypes(folder: string): void {
  const include = ["src", "scripts/update-options.ts"];
  writeFileSync(
    join(folder, "tsconfig.some.json"),
    JSON.stringify({ extends: "./tsconfig.json", include, exclude: [] }),
  );
  writeFileSync(
    join(folder, "web/tsconfig.some.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }),
  );
  for (const project of ["tsconfig.some.json", "web/tsconfig.some.json"])
    run(folder, join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project);
}

const start = `
import { createApp } from "./src/index.ts";

const app = createApp({ port: 0, dataDir: "data", signals: false, log: { destination: "log.txt" } });
app.onServe(({ router }) => void router.get("/x", (e) => e.json(200, {})));
const { url } = await app.start();
console.log((await fetch(url + "/x")).status);
await app.stop();
`;

function startApplication(folder: string): void {
  writeFileSync(join(folder, "start.ts"), start);
  assert.match(run(folder, "start.ts"), /^200$/m);
}

describe("a feature", () => {
  it("is found by its names", () => {
    assert.deepEqual(
      required.filter((name) => !features.some((feature) => feature.name === name)),
      [],
    );
    for (const feature of optional) {
      const mentions = findMentions(root, feature);
      assert.ok(mentions.some((line) => isOwn(feature.name, line)));
      assert.ok(mentions.some((line) => lists.includes(line.split(":")[0]!)));
    }
  });

  for (const feature of optional) {
    it(`can be removed: ${feature.name}`, (t) => {
      const folder = copyTree(t);
      remove(folder, feature);
      assert.deepEqual(findMentions(folder, feature), []);
      checkTypes(folder);
      startApplication(folder);
    });
  }
});
