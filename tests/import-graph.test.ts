import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "node:test";

/**
 * The shape of the house: what each folder of `src/` may import. Imports point down, features never import each
 * other, and from outside one enters a folder by its index.
 */
const ground = ["lib", "http", "storage", "auth"];
const features = ["logging", "metrics", "visitors", "cron", "settings", "docs"];
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  http: ["lib"],
  storage: ["lib"],
  auth: ["lib", "http", "storage"],
  logging: ground,
  metrics: ground,
  visitors: ground,
  cron: ground,
  settings: ground,
  docs: ["lib", "http", "auth"],
  dashboard: ["lib", "http", "auth"],
  app: [...ground, ...features, "dashboard"],
  cli: [...ground, ...features, "app"],
  "index.ts": [...ground, ...features, "app"],
};

const root = resolve(import.meta.dirname, "../src");
const files = globSync("**/*.ts", { cwd: root }).filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file));
const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;"']*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|new URL\(\s*["'](\.[^"']+\.ts)["']/g;

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...source.matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));
const folderOf = (file: string) => file.split("/")[0]!;

describe("the import graph", () => {
  it("is read at all", () => {
    assert.ok(graph.size > 40);
    assert.ok([...graph.values()].flat().length > 100);
  });

  it("knows every folder", () => {
    assert.deepEqual([...new Set(files.map(folderOf))].sort(), Object.keys(mayImport).sort());
  });

  it("points down", () => {
    const upward = [...graph].flatMap(([file, imports]) =>
      imports
        .filter(
          (target) =>
            folderOf(target) !== folderOf(file) && !mayImport[folderOf(file)]!.includes(folderOf(target)),
        )
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(upward, []);
  });

  it("enters a folder by its index, and only from outside", () => {
    const wrong = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((target) => {
          const index = `${folderOf(target)}/index.ts`;
          const inside = folderOf(target) === folderOf(file);
          return existsSync(join(root, index)) && (inside ? target === index : target !== index);
        })
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it("has no circles", () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (path.includes(file) || done.has(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    assert.deepEqual(circles, []);
  });

  it("leaves the environment to the configuration", () => {
    const readers = files.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    assert.deepEqual(readers, ["app/config.ts"]);
  });
});
