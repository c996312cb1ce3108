import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { annexVersion } from "../../app/version.ts";
import { withSlashes } from "../../lib/paths/paths.ts";
import { type Command, print, UsageError } from "../command.ts";

/** Next to the `src` folder of the repository and the `dist` folder of the package. */
const template = fileURLToPath(new URL("../../../templates/app", import.meta.url));

/** npm leaves files with these names out of a package. */
const renamed: Readonly<Record<string, string>> = { gitignore: ".gitignore", dockerignore: ".dockerignore" };

export const init: Command = {
  help: [
    "Usage: annex init [folder]",
    "",
    "Creates a TypeScript application with an API version, a job, a test and a Dockerfile. Existing files are not",
    "changed, except that package.json gets the scripts and dependencies that it does not have.",
    "",
    "  npx annex init && npm install && npm run dev",
  ].join("\n"),
  async run([folder = ".", ...rest]) {
    if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}".`);
    const target = resolve(folder);
    const packageChange = writePackage(target);
    const created = [...(packageChange === "created" ? ["package.json"] : []), ...writeTemplate(target)];
    if (packageChange === "changed") print("Changed package.json");
    if (created.length > 0) print(`Created ${created.join(", ")}`);
    else if (packageChange === undefined) print("Nothing to do: all files exist.");
    print("\nNext:\n  npm install\n  npm run dev");
    return 0;
  },
};

function* writeTemplate(target: string): Generator<string> {
  for (const name of globSync("**/*", { cwd: template, withFileTypes: true }).sort(byPath)) {
    if (!name.isFile()) continue;
    const source = join(name.parentPath, name.name);
    const file = join(dirname(source.slice(template.length + 1)), renamed[name.name] ?? name.name);
    if (existsSync(join(target, file))) continue;
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), readFileSync(source));
    yield withSlashes(file);
  }
}

function byPath(one: { parentPath: string; name: string }, other: typeof one): number {
  return join(one.parentPath, one.name) < join(other.parentPath, other.name) ? -1 : 1;
}

interface PackageFile {
  name?: string;
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

const scripts = {
  dev: "annex dev src/server.ts",
  test: "node --test",
  build: "annex build --production src/server.ts",
  start: "node dist/server.js",
};
/** npm init writes one that fails. */
const emptyTest = /no test specified/;

/** Adds what the template needs. The module type is changed, because the template consists of ES modules. */
function writePackage(target: string): "created" | "changed" | undefined {
  const file = join(target, "package.json");
  const exists = existsSync(file);
  const before = readPackage(exists ? readFileSync(file, "utf8") : "{}", file);
  const own = Object.entries(before.scripts ?? {}).filter(([, script]) => !emptyTest.test(script));
  const after: PackageFile = {
    name: toPackageName(basename(target)),
    version: "0.0.0",
    private: true,
    ...before,
    type: "module",
    scripts: { ...scripts, ...Object.fromEntries(own) },
    dependencies: { annex: `^${annexVersion}`, ...before.dependencies },
    devDependencies: { "@types/node": "^24.0.0", typescript: "^7.0.0", ...before.devDependencies },
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  mkdirSync(target, { recursive: true });
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
  return exists ? "changed" : "created";
}

function readPackage(text: string, file: string): PackageFile {
  try {
    return JSON.parse(text) as PackageFile;
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
}

function toPackageName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[._-]+/, "") || "application"
  );
}
