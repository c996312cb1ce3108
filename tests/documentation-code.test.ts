import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { loadClientGenerator } from "../src/features/docs/index.ts";
import { notesDocument } from "./support/notes-document.ts";
import { createFolder } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  // The recipes show parts of files.
  "docs/contributing/interpreter.md",
  ...globSync("docs/{,guides/}*.md", { cwd: root }),
].sort();

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

function listBlocks(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language, 2: code }) => ({
    page,
    line: text.slice(0, index).split("\n").length + 1,
    language: language!.trim(),
    text: code!,
  }));
}

const blocks = pages.flatMap(listBlocks);

const packages = ["@types", "zod", "valibot", "arktype", "kysely", "@standard-schema", "supertest"];
const frameworks = ["express", "fastify", "@nestjs", "koa", "hono", "@hono"];

/** What the fragments of the reference pages use without declaring it. */
const ambient = `
import type * as annex from "annex";
declare global {
  const app: annex.App;
  /** The same, on the server of another application. */
  const annex: import("annex").App;
  const router: annex.Router;
  const api: annex.Router;
  const e: annex.RequestEvent<string>;
  const versions: annex.APIVersionManager;
  /** Functions of the reader's application. */
  const listTodos: annex.Handler;
  const createTodo: annex.Handler;
  const clearTodos: annex.Handler;
  const listOrders: annex.Handler;
  const limit: annex.Handler;
  const greet: annex.Handler;
  function findUserByKey(key: string | undefined): Promise<{ id: string; name: string } | null>;
  function collect(options: { signal: AbortSignal }): Promise<readonly string[]>;
  function send(rows: readonly string[]): Promise<void>;
  function deregisterService(): Promise<void>;
  const error: Error;
  interface Tables {
    notes: { text: string };
  }
}
`;

/** Adds the imports from Annex and Node that a fragment leaves out. */
function complete(text: string, names: readonly string[]): string {
  const code = text.replace(/\/\/.*$/gm, "").replace(/"[^"\n]*"|'[^'\n]*'/g, "");
  const used = names.filter(
    (name) =>
      new RegExp(`(?<![.\\w])${name}\\b`).test(code) &&
      !new RegExp(`\\b(?:import|const|function|class|interface|type)\\b[^;=(]*\\b${name}\\b`).test(code),
  );
  const imports = used.length > 0 ? `import { ${used.join(", ")} } from "annex"; ` : "";
  return `${imports}${text}\nexport {};\n`;
}

describe("the code in the documentation", () => {
  it("type-checks", async (t) => {
    const { createClientSource } = await loadClientGenerator();
    const folder = createFolder(t);
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    for (const name of [...packages, ...frameworks])
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    const index = readFileSync(join(root, "src/index.ts"), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const names = [
      ...index.matchAll(/^\s*(?:type )?(\w+),?$/gm),
      ...index.matchAll(/[{,] (?:type )?(\w+)(?=[ ,}])/g),
    ];
    const exported = [...new Set(names.map(([, name]) => name!))].filter((name) => name !== "type");
    const checked = blocks.filter(({ language }) => /^(ts|typescript)\b/.test(language));
    assert.ok(checked.length > 25);
    const places = new Map<string, Block>();
    for (const [number, block] of checked.entries()) {
      const file = `${block.page.replace(/\W+/g, "-")}-${number}.ts`;
      places.set(file, block);
      writeFileSync(join(folder, file), complete(block.text, exported));
    }
    writeFileSync(join(folder, "ambient.ts"), ambient);
    writeFileSync(join(folder, "api-client.ts"), createClientSource(notesDocument));
    const compilerOptions = {
      target: "esnext",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      // For NestJS.
      experimentalDecorators: true,
      moduleDetection: "force",
      types: ["node"],
      paths: { annex: [join(root, "src/index.ts")] },
    };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const problems = compile(folder).map((line) =>
      line.replace(/^(\S+?\.ts)\((\d+),\d+\)/, (whole, file, at) => {
        const block = places.get(basename(file));
        return block ? `${block.page}:${block.line + Number(at) - 1}` : whole;
      }),
    );
    assert.deepEqual(problems, []);
  });

  it("is valid JSON where it says so", () => {
    for (const { page, line, text } of blocks.filter(({ language }) => language === "json"))
      assert.doesNotThrow(() => JSON.parse(text.replaceAll("…", "")), `${page}:${line}`);
  });
});

function compile(folder: string): string[] {
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      timeout: 360_000,
    });
    return [];
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    return stdout.split("\n").filter((line) => /error TS/.test(line));
  }
}
