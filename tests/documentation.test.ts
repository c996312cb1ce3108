import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { renderDocs, renderHealth } from "../scripts/update-options.ts";
import { features } from "../src/app/features.ts";
import { commands } from "../src/cli/main.ts";
import * as annex from "../src/index.ts";
import { definedErrors } from "../src/lib/errors/errors.ts";
import { startErrors } from "../src/lib/errors/start-error.ts";
import { createFolder, startProgram } from "./support/program.ts";
import { listOwnRoutes, type OwnRoute } from "./support/route-list.ts";

const root = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const guides = globSync("docs/*.md", { cwd: root }).map(read).join("\n");

describe("the documentation has", () => {
  it("every error code, with its status", () => {
    const text = read("docs/errors.md");
    assert.ok(definedErrors().length > 20);
    for (const { code, status, template } of definedErrors())
      assert.ok(text.includes(`| \`${code}\` | ${status} | ${template} |`), code);
    const listed = [...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code!);
    const defined = definedErrors().map(({ code }) => code);
    // Sorted, so that a reader finds a code.
    assert.deepEqual(listed, defined.sort());
  });

  it("only codes that exist, where a status has one", () => {
    const codes = new Set(definedErrors().map(({ code, status }) => `${status} ${code}`));
    const named = globSync("docs/{,guides/,contributing/,decisions/}*.md", { cwd: root }).flatMap((page) =>
      [...read(page).matchAll(/`(\d{3} [A-Z_]{3,})`/g)].map(([, code]) => ({ page, code: code! })),
    );
    assert.ok(named.length > 15);
    assert.deepEqual(
      named.filter(({ code }) => !codes.has(code)),
      [],
    );
  });

  it("every reason not to start, with its exit code", () => {
    const text = read("docs/operation.md");
    for (const [code, exit] of Object.entries(startErrors))
      assert.match(text, new RegExp(`^\\| ${exit} \\|.*\`${code}\``, "m"));
  });

  it("every sentence about values that attach does not accept", () => {
    const sources = globSync("src/{adapters,app}/**/*.ts", { cwd: root }).map(read).join("\n");
    const sentences = [...sources.matchAll(/"ATTACH_UNSUPPORTED",\s*"([^"]+)"/g)].map(
      ([, sentence]) => sentence!,
    );
    assert.ok(sentences.length >= 4);
    for (const sentence of sentences) assert.ok(read("docs/attach.md").includes(`| ${sentence} |`), sentence);
  });

  it("everything that the analysis of source may fail to resolve, and none that it does not", () => {
    const text = read("docs/source-analysis.md");
    const sources = globSync("src/features/docs/analysis/**/*.ts", { cwd: root })
      .filter((file) => !file.includes("/types/"))
      .map(read)
      .join("\n");
    const codes = new Set([...sources.matchAll(/"([A-Z]+(?:_[A-Z]+)+)"/g)].map(([, code]) => code!));
    assert.ok(codes.size > 8);
    const told = [...text.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(
      ([, names]) => names!.match(/[A-Z]+(_[A-Z]+)+/g) ?? [],
    );
    assert.deepEqual(told.toSorted(), [...codes].sort());
  });

  it("every option, as it is declared", () => {
    assert.equal(
      renderDocs(read("docs/configuration.md")),
      read("docs/configuration.md"),
      "run npm run update:options",
    );
  });

  it("every condition of the health status", () => {
    assert.equal(
      renderHealth(read("docs/metrics.md")),
      read("docs/metrics.md"),
      "run npm run update:options",
    );
  });

  it("every command and its options", async () => {
    const text = read("docs/command-line.md");
    for (const { name, load } of commands) {
      const { help } = await load();
      assert.ok(text.includes(`annex ${name}`), name);
      for (const [flag] of help.matchAll(/--[a-z-]+/g)) assert.ok(text.includes(flag), flag);
    }
  });

  it("every route of ours, and who may use it", () => {
    const rows = [...read("docs/routes.md").matchAll(/^\| ([A-Z]+) \| `([^`]+)` \| (.+) \|$/gm)];
    const privateRows = [
      ...read("docs/contributing/dashboard-routes.md").matchAll(/^\| ([A-Z]+) \| `([^`]+)` \|$/gm),
    ];
    const shown = [...rows, ...privateRows].map(([, method, path, access = "superusers"]) => ({
      method: method!,
      path: path!,
      isForSuperusers: access === "superusers",
    }));
    const sorted = (routes: readonly OwnRoute[]) => routes.map((route) => JSON.stringify(route)).sort();
    assert.deepEqual(sorted(shown), sorted(listOwnRoutes()));
    for (const { reserves } of features) {
      for (const prefix of reserves) assert.ok(read("docs/http.md").includes(`\`${prefix}\``), prefix);
    }
  });

  it("the private routes of the dashboard on the page for contributors only", () => {
    const found = globSync("docs/{,guides/}*.md", { cwd: root }).filter((page) =>
      /_\/_\/data\/\w/.test(read(page)),
    );
    assert.deepEqual(found, []);
  });

  it("tests that exist, wherever the security page names one", () => {
    const named = [...read("docs/security.md").matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)];
    assert.ok(named.length > 60);
    for (const [, file, title] of named) assert.ok(read(file!).includes(title!), `${file}: ${title}`);
  });

  it("no operation of the contract that does not exist", async (t) => {
    const [, section] = /^## Operations by name\n([\s\S]*?)^## /m.exec(read("docs/api-docs.md"))!;
    const owners: Record<string, object> = { versions: annex.APIVersionManager.prototype };
    const app = annex.createApp({ dataDir: createFolder(t), signals: false });
    app.onServe(({ router }) => {
      owners.router = router;
    });
    await app.inject({ url: "/" });
    const named = [...section!.matchAll(/`(versions|router|app\.jobs)\.(\w+)`/g)];
    assert.ok(named.length >= 20);
    for (const [name, owner, operation] of named)
      assert.ok(operation! in { ...owners, "app.jobs": app.jobs }[owner!]!, name);
    for (const [, name] of section!.matchAll(/`(initialize\w+|setup\w+|\w+WithContext)`/g))
      assert.ok(/^[A-Z]/.test(name!) || name! in annex, name);
    await app.stop();
  });

  it("every public name that can be called", () => {
    for (const name of Object.keys(annex)) assert.ok(guides.includes(name), name);
  });
});

describe("the index of the decisions", () => {
  const notes = globSync("docs/decisions/[0-9]*.md", { cwd: root });
  const rows = [
    ...read("docs/decisions/README.md").matchAll(/^\| (\d{3}) \| \[(.+?)\]\((\S+)\) \| (.+) \|$/gm),
  ];

  it("lists every note once, with its title", () => {
    const listed = rows.map(([, number, title, file]) => ({ number, title, file: file! }));
    const expected = notes.map((note) => {
      const [, number, title] = /^# (\d{3})(?: ·|:) (.+)$/m.exec(read(note))!;
      return { number, title, file: basename(note) };
    });
    const byNumber = (one: { file: string }, other: { file: string }) => (one.file < other.file ? -1 : 1);
    assert.deepEqual(listed.sort(byNumber), expected.sort(byNumber));
  });

  it("says which notes are superseded, as the notes do", () => {
    const pattern = /^(?:Partly s|S)uperseded by \[decision (\d{3})\]\(\1-[\w-]+\.md\)/m;
    const superseded = notes.filter((note) => pattern.test(read(note)));
    assert.ok(superseded.length > 5);
    for (const [, number, , file, summary] of rows) {
      const [, by] = pattern.exec(read(`docs/decisions/${file}`)) ?? [];
      assert.equal(/uperseded by \[(\d{3})\]/.exec(summary!)?.[1], by, number);
    }
  });
});

describe("the README", () => {
  it("begins with commands that work in a clone", () => {
    const [, first] = /```sh\n([\s\S]*?)```/.exec(read("README.md"))!;
    assert.match(first!, /^npm ci && npm start +#/m);
    assert.match(first!, /^npm ci && npm test +#/m);
    const { scripts } = JSON.parse(read("package.json"));
    for (const [, name] of read("README.md").matchAll(/\bnpm (?:run )?(start(?::\w+)?|test|pack)\b/g))
      assert.ok(scripts[name!], name);
  });

  it("is the only page that names the package of the registry, until it is published", () => {
    const named = globSync(["docs/{,guides/}*.md", "templates/**/*"], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => /npm (?:i|install|create) annex(?![\w.])/.test(readFileSync(file, "utf8")));
    assert.deepEqual(named, []);
  });

  it("shows an application that runs", async (t) => {
    const folder = createFolder(t);
    const [, code] = /```ts\n([\s\S]*?)```/.exec(read("README.md"))!;
    assert.ok(code!.split("\n").length < 30);
    const entry = join(folder, "server.ts");
    writeFileSync(
      entry,
      code!.replace('"annex"', JSON.stringify(new URL("../src/index.ts", import.meta.url).href)),
    );
    const program = startProgram(t, [entry], { cwd: folder, env: { SVC_PORT: "0" } });
    const [, url] = await program.says(/listening at (http:\/\/[\w.:]+)/);
    assert.deepEqual(await (await fetch(`${url}/hello/you`)).json(), { hello: "you" });
    const document = await fetch(`${url}/api/docs/v1/openapi.json`);
    const { paths } = (await document.json()) as { paths: object };
    assert.deepEqual(Object.keys(paths), ["/hello/{name}"]);
    assert.equal((await fetch(`${url}/api/docs/v1/swagger`)).status, 200);
    assert.equal((await fetch(`${url}/_/_`)).status, 200);
  });

  it("shows the Dockerfile that annex init writes", () => {
    const [, shown] = /```dockerfile\n([\s\S]*?)```/.exec(read("docs/guides/deploy.md"))!;
    assert.equal(shown, read("templates/app/Dockerfile"));
  });

  it("links to files and headings that exist", () => {
    const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
    assert.ok(pages.length > 80);
    for (const file of pages) {
      for (const [, path, anchor] of read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)) {
        const target = path === "" ? file : join(file, "..", path!);
        assert.ok(globSync(target, { cwd: root }).length > 0, `${file}: ${path}`);
        if (anchor) assert.ok(anchorsOf(read(target)).has(anchor), `${file}: ${path}#${anchor}`);
      }
    }
  });
});

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  const toAnchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  return new Set([...headings].map(([, heading]) => toAnchor(heading!)));
}
