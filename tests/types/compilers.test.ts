import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { stagePackage } from "../support/staged-package.ts";
import { type Compiler, compilers, DeclaredPackage } from "./declared-package.ts";

interface Setting {
  readonly options: object | ((compiler: Compiler) => object);
  readonly programs: (compiler: Compiler) => Record<string, string>;
  readonly except?: readonly Compiler[];
}

/** Only later compilers know Kysely's types. */
const withQueries = (compiler: Compiler, name: string) =>
  compiler === "5.0" ? {} : { [name]: "queries.ts" };

const node = (module: string): Setting => ({
  options: { module, moduleResolution: module },
  programs: (compiler) => ({
    "application.cts": "application.ts",
    "application.mts": "application.ts",
    "required.cts": "required.ts",
    ...withQueries(compiler, "queries.cts"),
    ...withQueries(compiler, "queries.mts"),
  }),
});

const both: Setting["programs"] = (compiler) => ({
  "application.ts": "application.ts",
  "required.ts": "required.ts",
  ...withQueries(compiler, "queries.ts"),
});

const settings: Record<string, Setting> = {
  commonjs: {
    // TypeScript 7 has no `node10` any more.
    options: (compiler) => ({
      module: "commonjs",
      moduleResolution: Number(compiler) < 6 ? "node10" : "bundler",
    }),
    programs: both,
  },
  node16: node("node16"),
  nodenext: node("nodenext"),
  bundler: {
    options: { module: "esnext", moduleResolution: "bundler" },
    programs: (compiler) => ({ "application.ts": "application.ts", ...withQueries(compiler, "queries.ts") }),
  },
  preserve: { options: { module: "preserve" }, programs: both, except: ["5.0"] },
};

/** Every compiler and every setting at least once. All of them take minutes. */
const chosen: Record<Compiler, readonly string[]> = {
  "5.0": ["commonjs", "nodenext"],
  "5.4": ["nodenext"],
  "5.7": ["node16"],
  "5.8": ["commonjs"],
  "5.9": ["bundler"],
  "6": ["commonjs"],
  "7": Object.keys(settings),
};

function isChosen(compiler: Compiler, setting: string): boolean {
  return process.env.ANNEX_TEST_ALL_COMPILERS !== undefined || chosen[compiler].includes(setting);
}

const strictest = {
  target: "es2024",
  module: "nodenext",
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

describe("the declarations of the package", () => {
  let declared: DeclaredPackage;

  before(async () => {
    declared = new DeclaredPackage(await stagePackage());
  });

  for (const compiler of Object.keys(compilers) as Compiler[])
    for (const [name, { options, programs, except = [] }] of Object.entries(settings)) {
      if (except.includes(compiler) || !isChosen(compiler, name)) continue;
      it(`compile with TypeScript ${compiler} and ${name}`, () => {
        const compilerOptions = typeof options === "function" ? options(compiler) : options;
        assert.equal(declared.compile(compiler, name, programs(compiler), compilerOptions), "");
      });
    }

  for (const compiler of ["5.9", "6", "7"] as const) {
    it(`accept ordinary handlers and name mistakes with TypeScript ${compiler}`, () => {
      const programs = { "handlers.mts": "handlers.ts", "mistakes.mts": "mistakes.ts" };
      const output = declared.compile(compiler, "strictest", programs, strictest);
      assert.deepEqual(readErrors(output), readExpected());
    });
  }
});

/** The first line of each error by place, without the part that is the same in all. */
function readErrors(output: string): Record<string, string> {
  const errors = output.matchAll(/^(\S+)\((\d+),\d+\): error TS\d+: (.*)$/gm);
  return Object.fromEntries([...errors].map(([, file, line, text]) => [`${file}:${line}`, text!]));
}

/** In `mistakes.ts`, the message is in the comment above the mistake. */
function readExpected(): Record<string, string> {
  const lines = readFileSync(join(import.meta.dirname, "programs/mistakes.ts"), "utf8").split("\n");
  const expected = lines.flatMap((line, index) =>
    line.trim().startsWith("// error: ")
      ? [[`mistakes.mts:${index + 2}`, line.trim().replace("// error: ", "")] as const]
      : [],
  );
  assert.ok(expected.length >= 12);
  return Object.fromEntries(expected);
}
