import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { type Graph, reachable, readGraph } from "../scripts/test/imports.ts";

/**
 * The layers of `src/`. A folder imports from the layers below it. Features import neither each other nor the layers
 * above, and other folders import a feature only through its index.
 */
const base = ["lib", "http", "storage", "auth", "feature"];
const features = globSync("*", { cwd: resolve(import.meta.dirname, "../src/features") }).map(
  (name) => `features/${name}`,
);
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  http: ["lib"],
  storage: ["lib"],
  adapters: ["lib", "http"],
  auth: ["lib", "http", "storage"],
  feature: ["lib", "http", "storage", "auth"],
  ...Object.fromEntries(features.map((feature) => [feature, base])),
  app: [...base, "adapters", ...features],
  cli: [...base, ...features, "app"],
  "index.ts": [...base, "adapters", ...features, "app"],
};

const root = resolve(import.meta.dirname, "../src");

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

/** The unit that a file belongs to: a feature, another folder of `src/`, or a file beside them. */
function unitOf(file: string): string {
  const parts = file.split("/");
  return parts.slice(0, parts[0] === "features" ? 2 : 1).join("/");
}

/**
 * The graph of a folder's entries: its files and its folders, each folder as one. A circle here is an arrow that points
 * up, even if no file imports itself.
 */
function entriesOf(graph: Graph, folder: string): Graph {
  const prefix = folder === "" ? "" : `${folder}/`;
  const entryOf = (file: string) => file.slice(prefix.length).split("/")[0]!;
  const entries = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    if (!file.startsWith(prefix)) continue;
    const targets = entries.get(entryOf(file)) ?? new Set();
    entries.set(entryOf(file), targets);
    for (const target of imports) {
      if (target.startsWith(prefix) && entryOf(target) !== entryOf(file)) targets.add(entryOf(target));
    }
  }
  return new Map([...entries].map(([entry, targets]) => [entry, [...targets]]));
}

function foldersOf(graph: Graph): string[] {
  const folders = new Set([""]);
  for (const file of graph.keys()) {
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

/** The number of layers: the files of the longest chain of imports. */
function countLayers(graph: Graph): number {
  const depths = new Map<string, number>();
  const depthOf = (entry: string): number => {
    const known = depths.get(entry);
    if (known !== undefined) return known;
    const depth = 1 + Math.max(0, ...(graph.get(entry) ?? []).map(depthOf));
    depths.set(entry, depth);
    return depth;
  };
  return Math.max(...[...graph.keys()].map(depthOf));
}

/** Folders with more than fifteen files, tests left out. */
function crowded(root: string): string[] {
  const files = globSync("**/*.*", { cwd: root }).filter((file) => !/\.test\.ts$/.test(file));
  const groups = Map.groupBy(files, dirname);
  return [...groups].filter(([, own]) => own.length > 15).map(([folder, own]) => `${folder}: ${own.length}`);
}

function findEntryCircles(graph: Graph): string[] {
  return foldersOf(graph).flatMap((folder) =>
    findCircles(entriesOf(graph, folder)).map((circle) => `${folder || "."}: ${circle}`),
  );
}

describe("the import graph", () => {
  const graph = readGraph(root);

  it("is read at all", () => {
    assert.ok(graph.size > 40);
    assert.ok([...graph.values()].flat().length > 100);
  });

  it("knows every folder", () => {
    assert.deepEqual([...new Set([...graph.keys()].map(unitOf))].sort(), Object.keys(mayImport).sort());
  });

  it("points down", () => {
    const isUpward = (file: string, target: string) =>
      unitOf(target) !== unitOf(file) && !mayImport[unitOf(file)]!.includes(unitOf(target));
    assert.deepEqual(arrows(graph, isUpward), []);
  });

  it("enters a folder by its index, and only from outside", () => {
    const isShortcut = (file: string, target: string) => {
      const index = `${unitOf(target)}/index.ts`;
      const isInside = unitOf(target) === unitOf(file);
      return existsSync(join(root, index)) && (isInside ? target === index : target !== index);
    };
    assert.deepEqual(arrows(graph, isShortcut), []);
  });

  it("has no circles, neither of files nor of folders", () => {
    assert.deepEqual(findCircles(graph), []);
    assert.deepEqual(findEntryCircles(graph), []);
  });

  it("keeps the threads small: they load neither the HTTP layer nor features that they do not serve", () => {
    const loaded = readGraph(root, { withTypes: false });
    for (const entry of [
      "storage/background-thread.ts",
      "storage/sqlite/reader-thread.ts",
      ...globSync("features/*/background.ts", { cwd: root }),
      "features/logging/store/worker.ts",
      "features/logging/store/reader-worker.ts",
      "features/cron/cluster/heartbeat-thread.ts",
    ]) {
      const feature = unitOf(entry);
      const foreign = reachable(loaded, entry).filter(
        (file) => ![feature, "lib", "storage"].includes(unitOf(file)),
      );
      assert.deepEqual(foreign, [], entry);
    }
  });

  it("has at most seven layers in cron, which once had thirteen", () => {
    assert.ok(countLayers(entriesOf(graph, "features/cron")) <= 7);
  });

  it("has at most fifteen files in a folder", () => {
    assert.deepEqual(crowded(root), []);
  });

  it("leaves the environment to the configuration", () => {
    const readers = [...graph.keys()].filter((file) =>
      readFileSync(join(root, file), "utf8").includes("process.env"),
    );
    // The command line passes a task or clients to a process that it starts, and reads the options of Node and the commit.
    // It also tells SQLite where to create temporary files.
    const isOfCommandLine = (file: string) =>
      /^cli\/(task(-preload)?|syntax-check|commands\/(build|compact|dev))\.ts$/.test(file);
    // A thread sets an option of the compiler that it starts.
    const isOfCompiler = (file: string) => file === "features/docs/analysis/types/engine-thread.ts";
    assert.deepEqual(
      readers.filter((file) => !isOfCommandLine(file) && !isOfCompiler(file)),
      ["app/config/config.ts"],
    );
  });
});

/** The layers of the clients for browsers, lowest first. `docs` is the documentation page. Folders of one layer may use each other, but not in circles. */
const webLayers = [
  ["format", "styles"],
  ["data"],
  ["state"],
  ["ui", "charts"],
  ["incident"],
  ["query-bar", "records", "trace", "comparison", "explorer"],
  ["pages", "docs"],
  ["shell"],
  ["main.tsx"],
];

describe("the import graph of the clients", () => {
  const web = resolve(import.meta.dirname, "../web/src");
  const graph = readGraph(web);
  const layerOf = (file: string) => webLayers.findIndex((layer) => layer.includes(unitOf(file)));

  it("has the order that CONTRIBUTING.md shows", () => {
    const [, table] = /^Read `web\/src` in this order:\n\n([\s\S]*?)\n\n/m.exec(
      readFileSync(join(web, "../../CONTRIBUTING.md"), "utf8"),
    )!;
    const names = table!
      .split("\n")
      .flatMap((row) => row.split("|")[1]!.match(/(?<=`)[\w.-]+(?=\/?`)/g) ?? []);
    const layers = names.map((name) => webLayers.findIndex((layer) => layer.includes(name)));
    assert.deepEqual(names.toSorted(), webLayers.flat().sort());
    assert.deepEqual(
      layers,
      layers.toSorted((one, other) => other - one),
    );
  });
  const pageOf = (file: string) => /^pages\/([\w-]+)\//.exec(file)?.[1];
  const isOutside = (target: string) => target.startsWith("..");

  it("is read at all", () => {
    assert.ok(graph.size > 100);
    assert.ok([...graph.values()].flat().length > 400);
  });

  it("knows every folder", () => {
    const folders = [...new Set([...graph.keys()].map(unitOf))];
    assert.deepEqual(
      folders.filter((folder) => layerOf(folder) === -1),
      [],
    );
  });

  it("points down", () => {
    const isUpward = (file: string, target: string) => !isOutside(target) && layerOf(target) > layerOf(file);
    assert.deepEqual(arrows(graph, isUpward), []);
  });

  it("keeps pages independent", () => {
    const isOther = (file: string, target: string) =>
      pageOf(target) !== undefined && pageOf(file) !== pageOf(target) && !isListing(file, target);
    const isListing = (file: string, target: string) =>
      file === "pages/index.ts" && target === `pages/${pageOf(target)}/index.ts`;
    assert.deepEqual(arrows(graph, isOther), []);
  });

  it("has no circles, neither of files nor of folders", () => {
    assert.deepEqual(findCircles(graph), []);
    assert.deepEqual(findEntryCircles(graph), []);
  });

  it("has at most fifteen files in a folder", () => {
    assert.deepEqual(crowded(web), []);
  });

  it("imports the wire types of the server and nothing else from outside", () => {
    const isForeign = (_: string, target: string) =>
      isOutside(target) && !/^\.\.\/\.\.\/src\/(features\/[\w-]+|auth)\/wire(\/[\w-]+)?\.ts$/.test(target);
    assert.deepEqual(arrows(graph, isForeign), []);
    const imported = [...graph.values()].flat().filter(isOutside);
    assert.ok(imported.length > 50);
    const valueImport = /\bimport\s+(?!type\b)[^;"']*["'][^"']*\/wire(?:\/[\w-]+)?\.ts["']/;
    const files = globSync("**/*.{ts,tsx}", { cwd: web });
    assert.deepEqual(
      files.filter((file) => valueImport.test(readFileSync(join(web, file), "utf8"))),
      [],
    );
  });

  it("finds types only in these files", () => {
    const wires = globSync(["features/*/{wire,wire/*}.ts", "auth/wire.ts"], { cwd: root });
    assert.ok(wires.length >= 7);
    const statements = wires.flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      return [...source.matchAll(/^[a-z].*/gm)].map(([line]) => `${file}: ${line}`);
    });
    const isType = /^\S+ (import type|(export )?(type|interface)) /;
    assert.deepEqual(
      statements.filter((statement) => !isType.test(statement)),
      [],
    );
  });

  it("lists every page, each in a folder of its name and with its own shortcut", () => {
    const listed = graph.get("pages/index.ts")!.flatMap((target) => pageOf(target) ?? []);
    const names = globSync("pages/*/index.ts", { cwd: web }).map((file) => pageOf(file)!);
    assert.deepEqual(listed.toSorted(), names.toSorted());
    const definitions = names.map((name) => readFileSync(join(web, `pages/${name}/index.ts`), "utf8"));
    const valuesOf = (field: string) =>
      definitions.map((text) => new RegExp(`\\b${field}: "([^"]+)"`).exec(text)?.[1]);
    assert.deepEqual(valuesOf("name"), names);
    assert.equal(new Set(valuesOf("shortcut")).size, names.length);
    // The server knows a page by its chunk, and a page in the initial bundle has none.
    const eager = names.filter((_, index) => !definitions[index]!.includes("await import("));
    assert.deepEqual(eager, ["overview"]);
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
