import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "../node_modules");

/** The licenses of all packages whose modules are in a bundle. The licenses require that copies contain them. */
export function renderLicenses(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => findPackage(id) ?? []));
  const notices = [...folders].sort().map(readNotice);
  return notices.join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a module is from; `undefined` for our own modules. */
function findPackage(id: string): string | undefined {
  // Helpers of the bundler, such as "\0rolldown/runtime.js".
  const [, bundler] = /^\0([^/:]+)[/:]/.exec(id) ?? [];
  if (bundler !== undefined) return existsSync(join(modules, bundler)) ? join(modules, bundler) : undefined;
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll("\\", "/")) ?? [];
  return folder;
}

function readNotice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
  if (file === undefined) throw new Error(`The package ${name} is in the bundle, but has no license file.`);
  // Vite's file also contains the licenses of its own dependencies, which are not in the bundle.
  const [text = ""] = readFileSync(join(folder, file), "utf8").split(/^# Licenses of bundled dependencies/m);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
