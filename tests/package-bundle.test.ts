import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { bundledPackages } from "../scripts/bundle.ts";
import { installPackedForProduction } from "./support/installed-package.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { startProgram } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");
const packageOf = (file: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** Prints the files that the main thread has loaded. */
const tracer = `import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
const loaded = new Set();
if (isMainThread) {
  registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
  process.on("exit", () => writeSync(2, "\\n" + JSON.stringify([...loaded].filter((each) => each.startsWith("file:")))));
}`;

const server = `import { createApp } from "annex";
const app = createApp({ port: 0, logLevel: "error" });
app.onServe(({ router }) => router.get("/", (e) => e.text(200, "")));
const { url } = await app.start();
await fetch(url);
await app.stop();`;

const failing = `import { rateLimit } from "annex";
rateLimit({ limits: 1 });`;

describe("the bundle of the package", () => {
  let folder: string;
  let dist: string;
  let maps: { file: string; sources: string[]; sourcesContent: (string | null)[] }[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "annex-bundle-"));
    dist = join(await installPackedForProduction(folder), "dist");
    const files = { "tracer.mjs": tracer, "server.mjs": server, "failing.mjs": failing };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const paths = globSync("**/*.js.map", { cwd: dist, exclude: ["**/client/**"] });
    maps = paths.map((path) => {
      const file = join(dist, path);
      return { ...JSON.parse(readFileSync(file, "utf8")), file };
    });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("has no files that import each other in a circle, which would fail at the start", () => {
    const imported = /^(?:import|export)\b[^;'"]*?["'](\.{1,2}\/[^"']+)["']/gm;
    const importsOf = (file: string) =>
      [...readFileSync(file, "utf8").matchAll(imported)].map(([, path]) => join(dirname(file), path!));
    const seen = new Set<string>();
    const circles: string[] = [];
    function follow(file: string, path: readonly string[]): void {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join("\n"));
      if (seen.has(file)) return;
      seen.add(file);
      for (const next of importsOf(file)) follow(next, [...path, file]);
    }
    const files = globSync("**/*.js", { cwd: dist, exclude: ["**/client/**"] }).map((path) =>
      join(dist, path),
    );
    assert.ok(files.length > 50);
    for (const file of files) follow(file, []);
    assert.deepEqual(circles, []);
  });

  it("contains the code of packages that are not dependencies, except for their types", () => {
    const { dependencies } = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8"));
    const bundled = new Set(maps.flatMap(({ sources }) => sources.flatMap((path) => packageOf(path) ?? [])));
    assert.deepEqual(
      bundledPackages.filter((name) => !bundled.has(name)),
      [],
    );
    assert.deepEqual(
      [...bundled].filter((name) => name in dependencies),
      ["kysely"],
    );
  });

  it("has the licenses of all packages whose code it contains", () => {
    const notices = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
    const sources = maps.flatMap((map) => map.sources);
    const names = new Set(sources.flatMap((path) => packageOf(path) ?? []));
    assert.ok(names.size > bundledPackages.length);
    for (const name of names) {
      const manifest = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
      const { version, license } = JSON.parse(manifest);
      const [, notice] = notices.split(`${name} ${version} (${license})\n\n`);
      assert.match(notice ?? "", /^[\s\S]{0,200}(copyright|unlicense)/i, name);
    }
  });

  it("has source maps of the files in src, with their contents", () => {
    let count = 0;
    for (const { file, sources, sourcesContent } of maps)
      for (const [index, path] of sources.entries()) {
        const inPackage = resolve(dirname(file), path).slice(join(dist, "..").length + 1);
        if (!inPackage.startsWith("src/")) assert.equal(sourcesContent[index], null, path);
        else {
          assert.equal(sourcesContent[index], readFileSync(join(root, inPackage), "utf8"), path);
          count++;
        }
      }
    assert.ok(count > 500, String(count));
  });

  it("has stack traces with the names of functions, and of sources if Node reads source maps", async (t) => {
    const frame = /at refuseUnknown \((.*):(\d+):\d+\)/;
    const plain = startProgram(t, ["failing.mjs"], { cwd: folder });
    await plain.ended;
    assert.match(frame.exec(plain.stderr)![1]!, /\/dist\/chunks\/annex\.js$/);
    const mapped = startProgram(t, ["--enable-source-maps", "failing.mjs"], { cwd: folder });
    await mapped.ended;
    const [, file, line] = frame.exec(mapped.stderr)!;
    const [path] = /src\/.*\.ts$/.exec(file!)!;
    assert.match(
      readFileSync(join(root, path), "utf8").split("\n")[Number(line) - 1]!,
      /throw new TypeError/,
    );
  });

  it("has no syntax that the oldest supported Node does not know", () => {
    const files = globSync("**/*.js", { cwd: dist, exclude: ["**/client/**"] });
    const isTooNew = (file: string) =>
      /^\s*(await )?using \w+ = /m.test(readFileSync(join(dist, file), "utf8"));
    assert.deepEqual(files.filter(isTooNew), []);
  });

  /** The files of Annex, and the packages, that the main thread loads. */
  async function listLoaded(t: TestContext, args: string[], env: Record<string, string> = {}) {
    const program = startProgram(t, ["--import", "./tracer.mjs", ...args], {
      cwd: folder,
      env: { NODE_ENV: "production", NODE_OPTIONS: "", ...env },
    });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    const files = (JSON.parse(program.stderr.split("\n").at(-1)!) as string[]).map(
      (url) => new URL(url).pathname,
    );
    const own = files.filter((file) => file.startsWith(dist) && !file.includes("/migrations/"));
    const packages = files.filter((file) => !file.startsWith(dist)).flatMap((file) => packageOf(file) ?? []);
    return {
      own: own.map((file) => file.slice(dist.length + 1)).sort(),
      packages: [...new Set(packages)].filter((name) => !/^@node-rs\/argon2-/.test(name)).sort(),
    };
  }

  const start = ["chunks/annex.js", "chunks/core.js", "chunks/rolldown-runtime.js", "index.js"];

  it("loads nothing that a plain start on SQLite does not use", async (t) => {
    const { own, packages } = await listLoaded(t, ["server.mjs"], { SVC_DATA_DIR: join(folder, "data") });
    assert.deepEqual(own, start);
    assert.deepEqual(packages, ["@node-rs/argon2", "better-sqlite3"]);
  });

  it("does not load the library for a command that does not use it", async (t) => {
    for (const args of [["--help"], ["init", join(folder, "created")], ["doctor", "--help"]]) {
      const { own, packages } = await listLoaded(t, [join(dist, "cli/bin.js"), ...args]);
      assert.ok(own.includes("chunks/core.js"), args[0]);
      assert.ok(!own.includes("chunks/annex.js"), args[0]);
      assert.deepEqual(
        packages.filter((name) => !name.startsWith("oxc-") && !name.startsWith("@oxc-")),
        [],
      );
    }
  });

  it("loads the driver of PostgreSQL instead of that of SQLite", async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const env = { SVC_DATA_DIR: join(folder, "postgres"), SVC_DATABASE_URL: database.url };
    const { own, packages } = await listLoaded(t, ["server.mjs"], env);
    assert.deepEqual(own, [...start, "chunks/open.js"].sort());
    assert.ok(packages.includes("pg"));
    assert.ok(!packages.includes("better-sqlite3"));
    assert.ok(!existsSync(join(folder, "postgres/annex.db")));
  });
});
