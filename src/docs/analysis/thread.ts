import { type FSWatcher, readFileSync, watch } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Anchors } from "./anchors.ts";
import type { Route } from "./handlers/route.ts";
import type { FromThread, ThreadOptions, ToThread } from "./messages.ts";
import { Project } from "./project.ts";
import { digestOf } from "./source/source-files.ts";
import { openTs7 } from "./types/ts7.ts";

/** The thread in which the source is read, so that no request ever waits for it. */

const port = parentPort!;
const { root, cacheFile, watches } = workerData as ThreadOptions;
const tell = (message: FromThread) => port.postMessage(message);

const require = createRequire(import.meta.url);
const releases = ["../../../package.json", "typescript/package.json", "oxc-parser/package.json"].map(
  (path) => (require(path) as { version: string }).version,
);

/** One question at a time goes to the server, and its answer comes back here. */
let answer: ((message: ToThread) => void) | undefined;

function ask<K extends ToThread["kind"]>(
  message: FromThread,
  _kind: K,
): Promise<Extract<ToThread, { kind: K }>> {
  tell(message);
  return new Promise((resolve) => {
    answer = resolve as (message: ToThread) => void;
  });
}

const project = new Project(
  { root, cacheFile, madeBy: releases.join(" "), openEngine: openTs7 },
  {
    locate: async (keys) => (await ask({ kind: "hidden", keys }, "located")).routes,
    readValidators: async (validators) => (await ask({ kind: "wanted", validators }, "validators")).schemas,
  },
);

/** How long the compiler is kept after it was last asked, for the next change. */
const keepEngineMs = 60_000;
let engineTimer: NodeJS.Timeout | undefined;
let routes: readonly Route[] = [];
const anchors = new Anchors();

async function analyze(): Promise<void> {
  clearTimeout(engineTimer);
  for await (const { level, isFinal, data } of project.analyze(routes))
    tell({ kind: "found", level, isFinal, data });
  if (!watches) return project.closeEngine();
  engineTimer = setTimeout(() => project.closeEngine(), keepEngineMs).unref();
  anchors.hold(routes, (path) => project.fileAt(path));
  watchFolders();
}

const watchers = new Map<string, FSWatcher>();
let changeTimer: NodeJS.Timeout | undefined;
/** An editor may write a file in several steps. */
const settleMs = 80;

function watchFolders(): void {
  for (const folder of new Set(project.watchedFiles.map((path) => dirname(path)))) {
    if (watchers.has(folder)) continue;
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(changeTimer);
        changeTimer = setTimeout(() => void enqueue(readChanged), settleMs);
      });
      watcher.on("error", () => {});
      watchers.set(folder, watcher);
    } catch {
      // A system that can watch no more folders shows the change after the next start.
    }
  }
}

async function readChanged(): Promise<void> {
  const changed = project.watchedFiles.filter((path) => contentOf(path) !== project.digestOf(path));
  if (changed.length === 0) return;
  project.forget(changed);
  const moved = anchors.move(routes, (path) => project.fileAt(path));
  routes = moved.flatMap((route, index) => (route ? [route] : [routes[index]!]));
  await analyze();
}

function contentOf(path: string): string | undefined {
  try {
    return digestOf(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

let work: Promise<unknown> = Promise.resolve();

/** One thing after the other. */
function enqueue(task: () => Promise<void>): Promise<unknown> {
  work = work.then(task, task);
  return work;
}

port.on("message", (message: ToThread) => {
  if (message.kind === "analyze") {
    routes = message.routes;
    void enqueue(analyze);
  } else if (message.kind === "close") {
    for (const watcher of watchers.values()) watcher.close();
    project.closeEngine();
    tell({ kind: "closed" });
    port.close();
  } else answer?.(message);
});
