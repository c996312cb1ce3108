/**
 * Adds to the declarations in `dist/` those for CommonJS modules and for TypeScript before 5.4. Decision 122 explains why
 * they are needed.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ts from "typescript-6";

const root = join(import.meta.dirname, "..");

export function addDeclarations(dist: string): void {
  writeFileSync(join(dist, "index.d.cts"), declareForCommonJs(join(dist, "index.d.ts")));
  writeForOlderCompilers(dist, join(dist, "typescript-5.0"));
}

/** Removes the declarations that applications cannot reach from `index.d.ts`. */
export function removeUnreachable(dist: string): void {
  const reachable = findReachable(join(dist, "index.d.ts"));
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    const file = join(dist, path);
    if (!reachable.has(file)) rmSync(file);
  }
}

/**
 * The exports of an ES module as those of a CommonJS module. The types are the same, so that both kinds of modules can
 * exchange values. A class is a value and a type, and a type-only export would hide its value, so it is declared as both.
 */
function declareForCommonJs(index: string): string {
  const program = ts.createProgram([index], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!;
  const values = checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isTypeOnly = exported.declarations?.some((each) => ts.isTypeOnlyExportDeclaration(each));
    if (isTypeOnly || !(symbol.flags & ts.SymbolFlags.Value)) return [];
    return [declareValue(exported.name, symbol, checker)];
  });
  return `/** The exports of index.d.ts for CommonJS modules. */
import type * as annex from "./index.js" with { "resolution-mode": "import" };
export type * from "./index.js" with { "resolution-mode": "import" };
${values.join("")}`;
}

function declareValue(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const comment = text && `/**\n${text.replace(/^/gm, " * ").replace(/ +$/gm, "")}\n */\n`;
  const value = `${comment}export declare const ${name}: typeof annex.${name};\n`;
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  if (!declaration) return value;
  const parameters = declaration.typeParameters ?? [];
  const declared = parameters.map((parameter) => parameter.getText()).join(", ");
  const passed = parameters.map((parameter) => parameter.name.text).join(", ");
  const inBrackets = (list: string) => list && `<${list}>`;
  return `${value}export type ${name}${inBrackets(declared)} = annex.${name}${inBrackets(passed)};\n`;
}

/**
 * Kysely, whose types are part of Annex, needs TypeScript 5.4. For older versions, this writes a copy of the declarations
 * in which queries have no types.
 */
function writeForOlderCompilers(dist: string, target: string): void {
  const kysely = join(target, "kysely.d.ts");
  for (const file of findReachable(join(dist, "index.d.ts"))) {
    const copy = join(target, relative(dist, file));
    const ownKysely = `./${relative(dirname(copy), kysely)
      .split(sep)
      .join("/")
      .replace(/\.d\.ts$/, ".js")}`;
    const source = readFileSync(file, "utf8").replaceAll('"kysely"', `"${ownKysely}"`);
    const usesNoInfer = source.includes("NoInfer<");
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, usesNoInfer ? `${source}type NoInfer<T> = T;\n` : source);
  }
  writeFileSync(kysely, readFileSync(join(import.meta.dirname, "kysely-before-5.4.d.ts")));
  // TypeScript before 5.8 does not let CommonJS modules import ES modules, and in CommonJS, it does not matter.
  writeFileSync(join(target, "package.json"), '{ "type": "commonjs" }\n');
}

/** A declaration file and the files that it imports, directly or indirectly. */
function findReachable(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles) {
    if (!fileName.startsWith(".")) continue;
    findReachable(join(dirname(file), fileName.replace(/\.[jt]s$/, ".d.ts")), found);
  }
  return found;
}
