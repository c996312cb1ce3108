import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { listProductionPackages } from "../support/production-packages.ts";

const root = resolve(import.meta.dirname, "../..");
const installed = join(root, "node_modules");

/** The versions of TypeScript that the declarations are checked with, and the packages that contain them. */
export const compilers = {
  "5.0": "typescript-5.0",
  "5.4": "typescript-5.4",
  "5.7": "typescript-5.7",
  "5.8": "typescript-5.8",
  "5.9": "typescript-5.9",
  "6": "typescript-6",
  "7": "typescript",
} as const;

export type Compiler = keyof typeof compilers;

/** A folder in which Annex is installed as far as a compiler sees it: `package.json` and declarations. */
export class DeclaredPackage {
  readonly folder = createTemporaryFolder();

  /** `staged`: see `stagePackage`. */
  constructor(staged: string) {
    const annex = join(this.folder, "node_modules/annex");
    const isDeclared = (path: string) => !/\.(js|cjs|map)$/.test(path);
    for (const name of ["package.json", "dist"])
      cpSync(join(staged, name), join(annex, name), { recursive: true, filter: isDeclared });
    // Every compiler gets the types of Node that it understands.
    for (const name of listProductionPackages(staged))
      if (name !== "@types/node") this.link(name, join(installed, name));
    for (const version of Object.keys(compilers)) mkdirSync(join(this.folder, version));
  }

  /** Compiles programs without `skipLibCheck`. Returns the errors that the compiler prints. */
  compile(
    compiler: Compiler,
    setting: string,
    programs: Record<string, string>,
    compilerOptions: object,
  ): string {
    const folder = join(this.folder, compiler, setting);
    // The newest types of Node need TypeScript 5.2.
    const nodeTypes = join(installed, compiler === "5.0" ? "types-node-20" : "@types/node");
    mkdirSync(join(this.folder, compiler, "node_modules/@types"), { recursive: true });
    linkOnce(nodeTypes, join(this.folder, compiler, "node_modules/@types/node"));
    mkdirSync(folder);
    for (const [name, program] of Object.entries(programs))
      copyFileSync(join(import.meta.dirname, "programs", program), join(folder, name));
    writeFileSync(join(folder, "package.json"), "{}");
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      preserveSymlinks: true,
      target: "es2021",
      types: ["node"],
      ...compilerOptions,
    };
    const config = { compilerOptions: options, files: Object.keys(programs) };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(installed, compilers[compiler], "bin/tsc");
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  }

  private link(name: string, target: string): void {
    linkOnce(target, join(this.folder, "node_modules", name));
  }
}

function linkOnce(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
