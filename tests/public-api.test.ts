import assert from "node:assert/strict";
import { join, relative, resolve } from "node:path";
import { describe, it } from "node:test";
import ts from "typescript-6";

const root = resolve(import.meta.dirname, "..");

/** Whatever an editor shows for a name that is imported from Annex. */
describe("the public API", () => {
  const program = ts.createProgram([join(root, "src/index.ts")], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const index = checker.getSymbolAtLocation(program.getSourceFile(join(root, "src/index.ts"))!)!;
  const exported = checker.getExportsOfModule(index).map(resolveAlias).filter(isOurs);

  it("has a comment for every export", () => {
    assert.ok(exported.length > 70);
    assert.deepEqual(exported.filter(isUndocumented).map(describeSymbol), []);
  });

  it("has a comment for every member of an export", () => {
    const members = exported.flatMap(listMembers);
    assert.ok(members.length > 250);
    assert.deepEqual(members.filter(isUndocumented).map(describeSymbol), []);
  });

  function resolveAlias(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function isUndocumented(symbol: ts.Symbol): boolean {
    return symbol.getDocumentationComment(checker).length === 0;
  }
});

/** Kysely's types are exported as well. They have Kysely's comments. */
function isOurs(symbol: ts.Symbol): boolean {
  return !symbol.declarations![0]!.getSourceFile().fileName.includes("/node_modules/");
}

function listMembers(symbol: ts.Symbol): ts.Symbol[] {
  return [...(symbol.members?.values() ?? [])].filter((member) => {
    const [declaration] = member.declarations ?? [];
    return (
      declaration &&
      (ts.isPropertySignature(declaration) ||
        ts.isMethodSignature(declaration) ||
        ts.isPropertyDeclaration(declaration) ||
        ts.isMethodDeclaration(declaration) ||
        ts.isAccessor(declaration)) &&
      !isHidden(declaration)
    );
  });
}

function isHidden(declaration: ts.ClassElement | ts.TypeElement): boolean {
  const isPrivate = ts.getCombinedModifierFlags(declaration as ts.Declaration) & ts.ModifierFlags.Private;
  return (
    Boolean(isPrivate) ||
    ts.isPrivateIdentifier(declaration.name!) ||
    ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal")
  );
}

function describeSymbol(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations!;
  const file = declaration!.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(declaration!.getStart());
  return `${relative(root, file.fileName)}:${line + 1} ${symbol.name}`;
}
