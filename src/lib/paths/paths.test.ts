import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { describe, it } from "node:test";
import {
  isInPackage,
  isOtherSpelling,
  isWithin,
  nativePath,
  resolveSource,
  showPath,
  toPath,
  withSlashes,
} from "./paths.ts";

describe("a path", () => {
  for (const [place, expected] of [
    ["/app/node_modules/express/index.js", true],
    ["C:\\app\\node_modules\\express\\index.js", true],
    ["C:/app/node_modules/@scope/name/index.js", true],
    ["\\\\server\\share\\app\\node_modules\\express\\index.js", true],
    ["file:///C:/app/node_modules/express/index.js", true],
    ["handler (C:\\app\\node_modules\\express\\index.js:12:3)", true],
    ["/app/src/todos.ts", false],
    ["C:\\app\\src\\todos.ts", false],
    ["C:\\app\\my_node_modules\\todos.ts", false],
    ["C:\\app\\node_modules.ts", false],
  ] as const)
    it(`${place} is ${expected ? "" : "not "}in a package`, () => assert.equal(isInPackage(place), expected));

  for (const [given, expected] of [
    ["c:\\app\\src\\todos.ts", "C:\\app\\src\\todos.ts"],
    ["c:/app/src/todos.ts", "C:\\app\\src\\todos.ts"],
    ["C:\\app\\src\\..\\todos.ts", "C:\\app\\todos.ts"],
    ["//server/share/todos.ts", "\\\\server\\share\\todos.ts"],
  ] as const)
    it(`${given} is compared as ${expected} on Windows`, () =>
      assert.equal(nativePath(given, win32), expected));

  it("is compared as it is on other systems, where all characters but the slash are part of a name", () => {
    for (const file of ["/app/src/todos.ts", "/app/a\\b.ts", "/c:/todos.ts"])
      assert.equal(nativePath(file, posix), file);
  });

  for (const [name, windows, other] of [
    ["file:///C:/app/src/todos.ts", "C:\\app\\src\\todos.ts", "/C:/app/src/todos.ts"],
    ["file:///c:/my%20app/todos.ts?update=2", "C:\\my app\\todos.ts", "/c:/my app/todos.ts"],
    ["c:\\app\\todos.js", "C:\\app\\todos.js", undefined],
    ["file:///app/todos.ts", undefined, "/app/todos.ts"],
    ["file://server/share/todos.ts", "\\\\server\\share\\todos.ts", undefined],
    ["node:fs", undefined, undefined],
    ["[eval1]", undefined, undefined],
    ["file:///%E0%A4%A", undefined, undefined],
  ] as const)
    it(`of the script ${name} is ${windows} on Windows and ${other} on other systems`, () =>
      assert.deepEqual([toPath(name, win32), toPath(name, posix)], [windows, other]));

  for (const [rules, folder, file, expected] of [
    [win32, "C:\\app", "C:\\app\\src\\todos.ts", "src/todos.ts"],
    [win32, "c:\\app", "C:\\app\\src\\todos.ts", "src/todos.ts"],
    [win32, "C:\\app", "C:\\application\\todos.ts", "C:/application/todos.ts"],
    [win32, "C:\\app", "D:\\shared\\todos.ts", "D:/shared/todos.ts"],
    [win32, "C:\\app", "C:\\app\\..todos\\a.ts", "..todos/a.ts"],
    [posix, "/app", "/app/src/todos.ts", "src/todos.ts"],
    [posix, "/app", "/application/todos.ts", "/application/todos.ts"],
    [posix, "/app", "/app/a\\b.ts", "a\\b.ts"],
  ] as const)
    it(`${file} is shown in ${folder} as ${expected}`, () =>
      assert.equal(showPath(file, folder, rules), expected));

  it("is within its folder, and not on another drive", () => {
    assert.ok(isWithin("C:\\app", "C:\\app", win32));
    assert.ok(isWithin("C:\\app", "c:\\app\\todos.ts", win32));
    assert.ok(isWithin("/", "/app/todos.ts", posix));
    assert.ok(!isWithin("C:\\app", "D:\\app\\todos.ts", win32));
    assert.ok(!isWithin("C:\\app", "C:\\app-2\\todos.ts", win32));
  });

  it("has slashes for people on every system", () => {
    assert.equal(withSlashes("..\\src\\todos.ts", win32), "../src/todos.ts");
    assert.equal(withSlashes("../src/todos.ts", posix), "../src/todos.ts");
  });
});

describe("a source in a source map", () => {
  for (const [rules, folder, source, expected] of [
    [win32, "C:\\app\\dist", "../src/todos.ts", "C:\\app\\src\\todos.ts"],
    [win32, "C:\\app\\dist", "..\\src\\todos.ts", "C:\\app\\src\\todos.ts"],
    [win32, "C:\\app\\dist", "c:\\app\\src\\todos.ts", "C:\\app\\src\\todos.ts"],
    [win32, "C:\\app\\dist", "file:///C:/app/src/todos.ts", "C:\\app\\src\\todos.ts"],
    [posix, "/app/dist", "..\\src\\todos.ts", "/app/src/todos.ts"],
    [posix, "/app/dist", "../src/todos.ts", "/app/src/todos.ts"],
    [posix, "/app/dist", "file:///app/my%20src/todos.ts", "/app/my src/todos.ts"],
  ] as const)
    it(`${source} of ${folder} is ${expected}`, () =>
      assert.equal(resolveSource(folder, source, rules), expected));
});

describe("a requested file", () => {
  for (const [file, real, expected] of [
    ["/site/secret.txt", "/site/Secret.TXT", true],
    ["/site/cafe\u0301.txt", "/site/caf\u00e9.txt", true],
    ["/site/secret.txt", "/site/secret.txt", false],
    ["/site/link.txt", "/site/target.txt", false],
  ] as const)
    it(`${JSON.stringify(file)} is ${expected ? "" : "not "}another spelling of ${real}`, () =>
      assert.equal(isOtherSpelling(file, real), expected));
});

/** What only this folder may do, because it is different on Windows. */
const owned: readonly [what: RegExp, instead: string][] = [
  [/\.includes\((["'])\/?node_modules\/?\1\)|\[\\\\\/\]node_modules/, "isInPackage"],
  [/\bsplit\((?:path\.)?sep\)/, "withSlashes"],
  [/\.replaceAll\("\\\\", "\/"\)|replaceAll\(sep/, "withSlashes"],
  [/\brenameSync\b|\brename\(.*node:fs/, "moveFile"],
  [/\.ino\b/, "fileIdentity"],
  [/\.startsWith\("file:"\) \? fileURLToPath/, "toPath"],
];
/** `portablePath` also reads paths of another system; the request path of static files needs numbers and no strings. */
const exceptions = [
  "features/docs/analysis/types/source-text.ts",
  "http/static/recent-files.ts",
  "http/static/folder.ts",
  "lib/source/source-location.ts",
];

describe("the code", () => {
  const root = join(import.meta.dirname, "../..");
  const files = globSync("**/*.ts", { cwd: root })
    .map((file) => withSlashes(file))
    .filter((file) => !/\.test\.ts$|(^|\/)testing\/|^lib\/paths\//.test(file) && !exceptions.includes(file));

  for (const [what, instead] of owned)
    it(`uses ${instead} and not ${what}`, () => {
      const found = files.filter((file) => what.test(readFileSync(join(root, file), "utf8")));
      assert.deepEqual(found, []);
    });
});
