import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "node:test";

/**
 * The shape of the house: what each folder of `src/` may import. Imports point down, features never import each
 * other, and from outside one enters a folder by its index.
 */
const ground = ["lib", "http", "storage", "auth"];
const features = ["access", "logging", "metrics", "visitors", "cron", "settings", "docs"];
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  http: ["lib"],
  storage: ["lib"],
  auth: ["lib", "http", "storage"],
  access: ground,
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
const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;"']*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|new URL\(\s*["'](\.[^"']+\.ts)["']/g;

/** Which file of a folder imports which, tests left out. */
type Graph = ReadonlyMap<string, readonly string[]>;

function readGraph(folder: string): Graph {
  const files = globSync("**/*.{ts,tsx}", { cwd: folder });
  const own = files.filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file));
  return new Map(own.map((file) => [file, importsOf(folder, file)]));
}

function importsOf(folder: string, file: string): string[] {
  const source = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...source.matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(folder, resolve(folder, dirname(file), specifier)));
}

/** A file and all that it imports, also through others. */
function reachable(graph: Graph, start: string): string[] {
  const found = new Set([start]);
  for (const file of found) for (const target of graph.get(file) ?? []) found.add(target);
  return [...found];
}

function arrows(graph: Graph, isWrong: (from: string, to: string) => boolean): string[] {
  return [...graph].flatMap(([file, imports]) =>
    imports.filter((target) => isWrong(file, target)).map((target) => `${file} → ${target}`),
  );
}

function findCircles(graph: Graph): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

const folderOf = (file: string) => file.split("/")[0]!;

describe("the import graph", () => {
  const graph = readGraph(root);

  it("is read at all", () => {
    assert.ok(graph.size > 40);
    assert.ok([...graph.values()].flat().length > 100);
  });

  it("knows every folder", () => {
    assert.deepEqual([...new Set([...graph.keys()].map(folderOf))].sort(), Object.keys(mayImport).sort());
  });

  it("points down", () => {
    const isUpward = (file: string, target: string) =>
      folderOf(target) !== folderOf(file) && !mayImport[folderOf(file)]!.includes(folderOf(target));
    assert.deepEqual(arrows(graph, isUpward), []);
  });

  it("enters a folder by its index, and only from outside", () => {
    const isByTheWindow = (file: string, target: string) => {
      const index = `${folderOf(target)}/index.ts`;
      const inside = folderOf(target) === folderOf(file);
      return existsSync(join(root, index)) && (inside ? target === index : target !== index);
    };
    assert.deepEqual(arrows(graph, isByTheWindow), []);
  });

  it("has no circles", () => {
    assert.deepEqual(findCircles(graph), []);
  });

  it("leaves the environment to the configuration", () => {
    const readers = [...graph.keys()].filter((file) =>
      readFileSync(join(root, file), "utf8").includes("process.env"),
    );
    // The command line passes a task to a process that it starts, and reads the options of Node.
    const isOfCommandLine = (file: string) => /^cli\/(errand(-preload)?|syntax-check)\.ts$/.test(file);
    assert.deepEqual(
      readers.filter((file) => !isOfCommandLine(file)),
      ["app/config.ts"],
    );
  });
});

/** The dashboard's client: pages stand on the parts and not on each other, and nobody but the shell knows a page. */
describe("the import graph of the dashboard", () => {
  const web = resolve(import.meta.dirname, "../web/src");
  const graph = readGraph(web);
  const pageOf = (file: string) => /^pages\/(\w+)\//.exec(file)?.[1];

  it("is read at all", () => {
    assert.ok(graph.size > 100);
    assert.ok([...graph.values()].flat().length > 400);
  });

  it("stays in its own house", () => {
    assert.deepEqual(
      arrows(graph, (_, target) => target.startsWith("..")),
      [],
    );
  });

  it("lets pages be apart", () => {
    const isStranger = (file: string, target: string) =>
      pageOf(target) !== undefined && pageOf(file) !== pageOf(target) && file !== "shell/page.tsx";
    assert.deepEqual(arrows(graph, isStranger), []);
  });

  it("keeps the shell above everything", () => {
    const isUpward = (file: string, target: string) =>
      folderOf(target) === "shell" && folderOf(file) !== "shell" && file !== "main.tsx";
    assert.deepEqual(arrows(graph, isUpward), []);
  });

  it("has no circles", () => {
    assert.deepEqual(findCircles(graph), []);
  });
});

describe("the package", () => {
  it("links on an old Node, so that it can say that it is too old", () => {
    const tooNew =
      /\b(?:duplexPair|enableCompileCache|getCallSites|glob|globSync|hash|registerHooks|styleText|zstd\w+)\b/;
    const graph = readGraph(root);
    const linked = reachable(graph, "index.ts").filter((file) => graph.has(file));
    assert.ok(linked.length > 200);
    const imports = linked.flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8");
      return [...source.matchAll(/^import (?:\w+, )?\{([^}]*)\} from "node:/gm)].map(([, names]) => ({
        file,
        names,
      }));
    });
    assert.deepEqual(
      imports.filter(({ names }) => tooNew.test(names!)),
      [],
    );
  });
});
