import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TypeEngine, TypeEngineOptions, TypeQuery } from "../query.ts";
import { openTs7 } from "../ts7.ts";
import { openTs6 } from "./ts6.ts";

/** A project in a temporary folder. */
export interface Fixture {
  readonly root: string;
  readonly options: TypeEngineOptions;
  path(name: string): string;
  write(name: string, text: string): void;
  remove(): void;
}

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  moduleDetection: "force",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [] as string[],
};

export interface FixtureOptions {
  readonly compilerOptions?: Record<string, unknown>;
  /** Package folders, by package name. */
  readonly links?: Readonly<Record<string, string>>;
}

export function createFixture(
  files: Readonly<Record<string, string>>,
  options: FixtureOptions = {},
): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "types-")));
  const path = (name: string) => join(root, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const config = {
    compilerOptions: { ...compilerOptions, ...options.compilerOptions },
    include: ["**/*.ts"],
  };
  write("tsconfig.json", JSON.stringify(config));
  write("package.json", JSON.stringify({ name: "fixture", type: "module" }));
  for (const [name, text] of Object.entries(files)) write(name, text);
  for (const [name, folder] of Object.entries(options.links ?? {})) {
    mkdirSync(path("node_modules"), { recursive: true });
    symlinkSync(folder, path(`node_modules/${name}`));
  }
  return {
    root,
    options: { root, tsconfig: path("tsconfig.json"), files: Object.keys(files).map(path) },
    path,
    write,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const engines: Readonly<Record<string, (options: TypeEngineOptions) => TypeEngine>> = {
  openTs7,
  openTs6,
};

/** The location between `/*<*\/` and `/*>*\/` in a text. */
export function markedPlace(text: string): { start: number; end: number } {
  const [open, close] = ["/*<*/", "/*>*/"];
  const start = text.indexOf(open) + open.length;
  const end = text.indexOf(close);
  if (start < open.length || end < start) throw new Error(`No marked place in: ${text}`);
  return { start, end };
}

export function markedQuery(file: string, text: string, kind: TypeQuery["kind"], status?: number): TypeQuery {
  return { file, ...markedPlace(text), kind, status };
}
