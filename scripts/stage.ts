/**
 * Builds the package into a folder, as it is published: `npm run stage` and `npm publish .tmp/package`. Its `package.json`
 * contains only what applications need. The one of the repository is private, so that it is not published by mistake.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import "./build.ts";
import { publishedDependencies } from "./bundle.ts";

/** The other fields are for work on the repository. */
const published = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "homepage",
  "repository",
  "bugs",
  "type",
  "engines",
  "main",
  "types",
  "typesVersions",
  "exports",
  "bin",
  "files",
  "publishConfig",
];

const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, ".tmp/package"));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(target, { recursive: true, force: true });
for (const name of [...manifest.files, "README.md", "LICENSE"])
  cpSync(join(root, name), join(target, name), { recursive: true });
const fields = Object.fromEntries(published.map((name) => [name, manifest[name]]));
const content = { ...fields, dependencies: publishedDependencies(manifest.dependencies) };
writeFileSync(join(target, "package.json"), `${JSON.stringify(content, null, 2)}\n`);
