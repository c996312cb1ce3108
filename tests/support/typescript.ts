import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** The compilers that users have, by their major version. */
export const compilers = {
  7: join(root, "node_modules/typescript/bin/tsc"),
  6: join(root, "node_modules/typescript-6/bin/tsc"),
  5: join(root, "tests/openapi-client/node_modules/typescript/bin/tsc"),
} as const;

/** The strictest options that projects use. */
const strictest = {
  target: "es2022",
  module: "nodenext",
  moduleDetection: "force",
  strict: true,
  noEmit: true,
  declaration: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
};

export interface CompileOptions {
  readonly compiler?: keyof typeof compilers;
  /** The types of a browser instead of those of Node. Default false. */
  readonly isBrowser?: boolean;
  /** Default: all files of the folder. */
  readonly files?: readonly string[];
}

/** Type-checks the files of a folder. Returns the errors, one per line. */
export function findTypeErrors(folder: string, options: CompileOptions = {}): string[] {
  const { compiler = 7, isBrowser = false, files } = options;
  const surroundings = isBrowser
    ? { lib: ["es2022", "dom", "dom.iterable"], types: [] }
    : { lib: ["es2022"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  const config = join(folder, `tsconfig.${compiler}.${isBrowser ? "browser" : "node"}.json`);
  const compilerOptions = { ...strictest, ...surroundings };
  writeFileSync(config, JSON.stringify({ compilerOptions, ...(files ? { files } : { include: ["*.ts"] }) }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  try {
    const args = [compilers[compiler], "-p", config, "--pretty", "false"];
    execFileSync(process.execPath, args, { encoding: "utf8", timeout: 360_000 });
    return [];
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    const lines = stdout.split("\n").filter((line) => /error TS/.test(line));
    return lines.length > 0 ? lines : [String(error)];
  }
}
